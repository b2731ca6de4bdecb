import { AgentPlatformError, isLacking, messageOf } from "../../base/errors";
import { asObject, isObject, type JsonObject } from "../../base/json";
import { noteSecrets } from "../../base/masker";
import { someOf } from "../../base/plain-text";
import { shellWord } from "../../base/shell";
import { showDuration } from "../../base/time";
import { excerptOf } from "../../http/excerpt";
import type { Context } from "../../lifecycle/observe/context";
import { readDeployment } from "../deployment/api";
import { lastEntries, type LogKind, type RevisionLogKey } from "../deployment/logs";
import type { DeploymentWire } from "../deployment/wire";
import type { PollResult } from "./classify";

/** The time limit of all requests together, so that the user's error is not delayed. */
const LIMIT_MS = 10_000;
/** More entries than lines are shown, since some may be empty. */
const ENTRIES = 40;

export interface Waited {
  readonly context: Context;
  readonly deploymentId: string;
  readonly what: string;
  /** Undefined if it had ended before. */
  readonly waitedMs: number | undefined;
}

type Polled = Pick<PollResult, "revisionId" | "status">;

/** The error of a revision that failed. It ends with the last lines of its log. */
export function failed(waited: Waited, seen: Polled, advice: string): Promise<AgentPlatformError> {
  const how = `revision ${seen.revisionId ?? "(unnamed)"} ended as ${seen.status}`;
  return ended(waited, seen, how, "The platform gives no reason: look at the revision's logs there. ", advice);
}

/** The error of a wait that ran out of time. It ends with the last lines of the revision's log. @param name The revision, for messages. */
export function timedOut(waited: Waited, name: string, seen: Polled, advice: string): Promise<AgentPlatformError> {
  return ended(waited, seen, `${name} is still ${seen.status}`, "Look at its logs on the platform. ", advice);
}

/** @param without What it says where no line of a log is known. */
async function ended(waited: Waited, seen: Polled, how: string, without: string, advice: string) {
  const { look, end } = (await reasonFor(waited, seen)) ?? { look: without, end: "" };
  const after = waited.waitedMs === undefined ? "" : ` after ${showDuration(waited.waitedMs)}`;
  // The engine shows the first line of an error once more, on the row of its resource.
  return new AgentPlatformError(`${waited.what}: ${how}${after}\n${look}${advice}${end}`);
}

/**
 * Why a revision ended, which only its logs show (docs/internals/platform.md, Logs of a revision), as the message says it before and behind the next steps.
 * The logs are requested once and briefly, and this never fails: undefined if the platform has none, or if they are empty. No line is shown that may
 * contain a secret that this process does not know.
 */
async function reasonFor({ context, deploymentId }: Waited, { revisionId, status }: Polled) {
  if (revisionId === null || context.connection.contract === "documented") return undefined;
  const until = context.clock.now() + LIMIT_MS;
  const command = `\`npx pulumi-agent-platform logs ${shellWord(deploymentId)} --revision ${shellWord(revisionId)}\``;
  const notShown = (why: string) => ({ look: `Its logs are not shown here (${why}): run ${command}. `, end: "" });
  try {
    const unknown = await unknownSecrets(context, deploymentId, until);
    if (unknown !== undefined) return notShown(`they may hold ${unknown}, which this process does not know`);
    const kinds: readonly LogKind[] = status === "BUILD_FAILED" ? ["build"] : ["deploy", "build"];
    for (const kind of kinds) {
      const lines = await linesOf(context, { deploymentId, revisionId, kind }, until);
      const intro = `. The last lines of its ${kind} log (for more, run ${command}):`;
      if (lines.length > 0) return { look: "", end: [intro, ...lines].join("\n  ") };
    }
    return undefined;
  } catch (error) {
    return isLacking(error) ? undefined : notShown(messageOf(error));
  }
}

/** Describes the secrets that a log may contain and that this process does not know. Secrets that the platform shows are registered with the masker. */
async function unknownSecrets({ send, program }: Context, deploymentId: string, until: number) {
  const { data: live } = await readDeployment(send, deploymentId, until, "once");
  const { values, unknown } = secretsInEnvironment(live, program.of("Deployment", live.name ?? ""));
  noteSecrets([...values]);
  if (unknown === undefined) return "secrets of the environment";
  return unknown.length === 0 ? undefined : `the values of ${someOf(unknown)}`;
}

/**
 * The values of the environment that must not be shown, and the variables whose values this process cannot know and so cannot mask; undefined if even their
 * names are unknown.
 * @param declared The deployment's declarations that this process has seen; empty if it has seen none.
 */
export function secretsInEnvironment(live: DeploymentWire, declared: readonly JsonObject[]) {
  const plain = declared.map(({ environmentVariables }) => asObject(environmentVariables));
  const all = [...plain, ...declared.map(({ secrets }) => asObject(secrets))];
  const references = (live.secret_references ?? []).map(({ name }) => name);
  // If the answer does not show the environment, only the declared variables are known; undeclared ones are not.
  const declaresIt = declared.some(
    ({ environmentVariables, secrets }) => isObject(environmentVariables) || isObject(secrets),
  );
  if (live.secrets == null) return { values: [], unknown: declaresIt ? references : undefined };
  const values: string[] = [];
  const unknown = [...references];
  for (const { name, value } of live.secrets) {
    if (typeof value !== "string") {
      if (!all.some((map) => Object.hasOwn(map, name))) unknown.push(name);
      // Only the program shows which variables are not secret.
    } else if (!plain.some((map) => map[name] === value)) values.push(value);
  }
  return { values, unknown };
}

async function linesOf({ send }: Context, log: RevisionLogKey, until: number): Promise<readonly string[]> {
  try {
    const entries = await lastEntries(send, log, ENTRIES, until);
    return excerptOf(entries.map(({ message }) => message));
  } catch (error) {
    // A revision that was never started may have no deploy log.
    if (isLacking(error)) return [];
    throw error;
  }
}
