import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import { CONNECTION_HELP, connectionsOf, declareConnection } from "../base/connection";
import { builtFrom, declareDeployment, findDeployment } from "../base/deployment";
import { declareFormat, FORMATS, wholeNumber, withHelp } from "../base/options";
import { jsonText, lineText, sentenceLines, tableLines } from "../base/printable";
import { openPlatform, type Revision } from "../../provider/functions/reading";

const options = z.looseObject({
  status: z.array(z.string()).default([]),
  limit: z.number(),
  format: z.enum(FORMATS),
});

const USUAL_LIMIT = 20;

/** Declares the options of `pulumi-agent-platform revisions` and what it does. */
export function defineCommand(command: Command): void {
  declareDeployment(command)
    .option("--status <status>", "only revisions with this status; separate several with commas", statuses)
    .option("--limit <number>", "show at most this many", wholeNumber, USUAL_LIMIT);
  declareFormat(command, "format of the list");
  declareConnection(command);
  withHelp(
    command,
    "\nExample: pulumi-agent-platform revisions support-agent --status DEPLOYED" +
      "\n\nThe order is the platform's. The command changes nothing. Needs contract extended." +
      CONNECTION_HELP +
      "\n\n--format json: { deployment: { id, name }, revisions: [{ id, status, createdAt, imageUri, repoCommitSha," +
      "\n  isServing, isLatest }], rolledBack: [{ check, problem }] }; null if the platform does not say." +
      "\n  rolledBack: the checks of the stack that failed and brought back an earlier revision.",
  ).action(async (deployment: string | undefined) => run(deployment, options.parse(command.opts())));
}

async function run(named: string | undefined, given: z.infer<typeof options>): Promise<void> {
  const connections = await connectionsOf(given, process.env);
  const { platform, deployment } = await findDeployment(connections, named, openPlatform);
  const revisions: ShownRevision[] = [];
  for await (const found of platform.revisions(deployment.id, given.status)) {
    const { deploymentId: _, ...revision } = found;
    const { id } = revision;
    const isServing = id === deployment.activeRevisionId;
    revisions.push({ ...revision, isServing, isLatest: id === deployment.latestRevisionId });
    if (revisions.length === given.limit) break;
  }
  const { id, name } = deployment;
  const rolledBack = connections.rolledBack
    .filter(({ deploymentId }) => deploymentId === id)
    .map(({ check, problem }) => ({ check, problem }));
  const report: RevisionsReport = { deployment: { id, name }, revisions, rolledBack };
  process.stdout.write(given.format === "json" ? jsonText(report) : tableOf(report, given.status));
}

function statuses(text: string, earlier: readonly string[] = []): readonly string[] {
  const given = text.split(",").map((status) => status.trim());
  if (given.includes("")) throw new InvalidArgumentError("A status is a word such as DEPLOYED.");
  return [...earlier, ...given];
}

/** A revision of the report. Keys may be added; these stay. */
type ShownRevision = Omit<Revision, "deploymentId"> & {
  readonly isServing: boolean;
  /** It is the newest one, whatever became of it. */
  readonly isLatest: boolean;
};

/** The output of `pulumi-agent-platform revisions --format json`. Keys may be added; these stay. */
interface RevisionsReport {
  readonly deployment: { readonly id: string; readonly name: string };
  readonly revisions: readonly ShownRevision[];
  /** The checks of the stack that failed and put an earlier revision back, by their names in the program. */
  readonly rolledBack: readonly { readonly check: string; readonly problem: string }[];
}

/** For a terminal. @param status The statuses that were asked for, if not all. */
export function tableOf({ deployment, revisions, rolledBack }: RevisionsReport, status: readonly string[]): string {
  const title = `Deployment ${lineText(deployment.name)}  ${lineText(deployment.id)}`;
  const rows = revisions.map((revision) => [
    revision.id,
    revision.status,
    standingOf(revision),
    revision.createdAt ?? "-",
    builtFrom(revision) ?? "-",
  ]);
  const none = status.length === 0 ? "no revisions" : `no revisions with the status ${status.join(" or ")}`;
  const lines = rows.length === 0 ? [`  ${lineText(none)}`] : tableLines([HEAD, ...rows]);
  const said = rolledBack.flatMap(({ check, problem }) =>
    sentenceLines(lineText(`RunCheck ${check}: ${problem}.`), ""),
  );
  const below = said.length === 0 ? [] : ["", ...said];
  return `${[title, "", ...lines, ...below].join("\n")}\n`;
}

const HEAD = ["REVISION", "STATUS", "", "CREATED", "IMAGE OR COMMIT"];

const standingOf = ({ isServing, isLatest }: ShownRevision): string =>
  isServing ? "serves" : isLatest ? "latest" : "";
