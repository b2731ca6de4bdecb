import { createHash } from "node:crypto";
import { timestamp } from "../base/clock";
import type { DeploymentRecord } from "./deployment-record";
import type { LogLine, LoggedRevision, EmulatedSettings } from "./options";
import { imageOf } from "./revision-image";
import { progressOf, statusStart, type RevisionRecord } from "./revision-record";
import { revisionOutcome } from "./revision-outcomes";

/** A log at one moment, its entries oldest first; `isGrowing` says whether more may come. */
export type RevisionLog = ReturnType<typeof logOf>;

/** The log of a revision at a moment: computed from the clock and from how the revision ends, as its status is. */
export function logOf(
  kind: LoggedRevision["kind"],
  revision: RevisionRecord,
  deployment: DeploymentRecord,
  { revisionLog }: Pick<EmulatedSettings, "revisionLog">,
  now: number,
) {
  const { status, since } = progressOf(revision, now);
  const superseded = status === "SKIPPED" ? since : Infinity;
  const [start, end] = spanOf(kind, revision);
  const own = revisionLog({
    kind,
    revisionId: revision.id,
    deploymentId: deployment.id,
    deploymentName: deployment.name,
    sourceRevisionConfig: revision.source_revision_config,
  });
  const lines = own ?? (kind === "build" ? buildLines : deployLines)(revision, deployment, end);
  // The last line comes with the end of the step, the others are spread evenly before it.
  const moment = (index: number) => start + ((index + 1) / lines.length) * (end - start);
  const entries = lines
    .map((line, index) => {
      const { at = moment(index), number = index } = typeof line === "string" ? {} : line;
      return entryOf(kind, revision.id, line, number, at);
    })
    .filter(({ timestamp: at }) => Date.parse(at) <= now && Date.parse(at) < superseded);
  return { entries, isGrowing: entries.length < lines.length && superseded === Infinity };
}

/** When the step begins and ends. A build that is stuck never ends, but its lines appear as in any other. */
function spanOf(kind: LoggedRevision["kind"], revision: RevisionRecord): readonly [start: number, end: number] {
  if (kind === "deploy") return [statusStart(revision, "DEPLOYING"), statusStart(revision, "DEPLOYED")];
  if (outcomeOf(revision) === "CREATE_FAILED")
    return [statusStart(revision, "CREATING"), statusStart(revision, "QUEUED")];
  return [statusStart(revision, "BUILDING"), statusStart(revision, "AWAITING_DEPLOY")];
}

/** How it ends, which may have been decided out of band. */
function outcomeOf({ status_override: override, outcome }: RevisionRecord): RevisionRecord["outcome"] {
  const decided = revisionOutcome.safeParse(override);
  return decided.success ? decided.data : outcome;
}

function buildLines(revision: RevisionRecord, _deployment: DeploymentRecord, end: number): readonly LogLine[] {
  const { source_revision_config: config, commit } = revision;
  if (revision.by_command)
    return [lineAt(revision.created_at, "Nothing is built: the emulator starts a command of your own.")];
  const outcome = outcomeOf(revision);
  const asked = [config["image_uri"], config["source_tarball_path"]].find((value) => typeof value === "string");
  const what = commit ?? asked ?? "the template";
  if (outcome === "CREATE_FAILED") {
    return [{ level: "ERROR", message: `Could not fetch ${what}: access denied` }];
  }
  const begin = [`Fetching ${what}`, "Installing dependencies", "Collecting langgraph"];
  if (outcome === "STUCK") return [...begin, "Building wheel for tokenizers: still running"];
  if (outcome === "BUILD_FAILED") {
    return [
      ...begin,
      {
        level: "ERROR",
        message: "ERROR: Could not find a version that satisfies the requirement langchain-tools==9.9.9",
      },
      { level: "ERROR", message: "ERROR: No matching distribution found for langchain-tools==9.9.9" },
      { level: "ERROR", message: "Build failed: pip install exited with code 1" },
    ];
  }
  return [...begin, "Successfully installed langgraph", `Built ${imageOf(revision, end) ?? what}`];
}

function deployLines(revision: RevisionRecord, deployment: DeploymentRecord, end: number): readonly LogLine[] {
  const outcome = outcomeOf(revision);
  if (revision.by_command)
    return [lineAt(revision.updated_at, "What its command wrote was lost when the emulator ended.")];
  if (outcome !== "DEPLOYED" && outcome !== "DEPLOY_FAILED") return [];
  const begin = [`Starting ${imageOf(revision, end) ?? deployment.name}`, "Importing graph agent"];
  if (outcome === "DEPLOYED") return [...begin, "Application startup complete"];
  const trace = [
    "Traceback (most recent call last):",
    '  File "/deps/agent/src/graph.py", line 12, in <module>',
    '    search_key = os.environ["SEARCH_API_KEY"]',
    "KeyError: 'SEARCH_API_KEY'",
    "Application startup failed. Exiting with code 3",
  ];
  return [...begin, ...trace.map((message) => ({ level: "ERROR", message }) as const)];
}

const lineAt = (at: string, message: string): LogLine => ({ level: "INFO", message, at: Date.parse(at) });

/** A line as it is answered. Its id is the same at every look, so that a client that follows the log knows what it has seen. */
function entryOf(kind: string, revisionId: string, line: LogLine, index: number, at: number) {
  const { level, message } = typeof line === "string" ? { level: "INFO", message: line } : line;
  const id = createHash("sha1").update(`${kind} ${revisionId} ${index}`).digest("hex");
  return { id, timestamp: timestamp(at), level, message };
}
