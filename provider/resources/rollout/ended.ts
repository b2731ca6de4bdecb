import { AgentPlatformError } from "../../base/errors";
import { shellWord } from "../../base/shell";
import { showDuration } from "../../base/time";
import type { Context } from "../../lifecycle/observe/context";
import type { PollResult } from "./classify";
import { reasonFor } from "./reason";

/** A rollout whose wait is over. */
export interface Waited {
  readonly context: Context;
  readonly deploymentId: string;
  /** The deployment, for messages. */
  readonly what: string;
  /** Undefined if it had ended before. */
  readonly waitedMs: number | undefined;
}

/** The error of a revision that failed. It ends with the last lines of its log. */
export function failed(waited: Waited, seen: Polled, advice: string): Promise<AgentPlatformError> {
  const how = `revision ${seen.revisionId ?? "(unnamed)"} ended as ${seen.status}`;
  return ended(waited, seen, how, "The platform gives no reason: look at the revision's logs there. ", advice);
}

/** The error of a wait that ran out of time. It ends with the last lines of the revision's log. @param name The revision, for messages. */
export function timedOut(waited: Waited, name: string, seen: Polled, advice: string): Promise<AgentPlatformError> {
  return ended(waited, seen, `${name} is still ${seen.status}`, "Look at its logs on the platform. ", advice);
}

type Polled = Pick<PollResult, "revisionId" | "status">;

/** @param without What it says where no line of a log is known. */
async function ended(waited: Waited, seen: Polled, how: string, without: string, advice: string) {
  const { what, waitedMs } = waited;
  const { look, end } = (await logs(waited, seen)) ?? { look: without, end: "" };
  const after = waitedMs === undefined ? "" : ` after ${showDuration(waitedMs)}`;
  return new AgentPlatformError(`${what}: ${how}${after}. ${look}${advice}${end}`);
}

/** What the message says of the revision's logs before and behind the next steps; undefined if there are none. */
async function logs({ context, deploymentId }: Waited, { revisionId, status }: Polled) {
  const reason = revisionId === null ? undefined : await reasonFor(context, { deploymentId, revisionId, status });
  if (revisionId === null || reason === undefined) return undefined;
  const command = `\`npx pulumi-agent-platform logs ${shellWord(deploymentId)} --revision ${shellWord(revisionId)}\``;
  if ("notShown" in reason)
    return { look: `Its logs are not shown here (${reason.notShown}): run ${command}. `, end: "" };
  const lines = reason.lines.map((line) => `\n  ${line}`).join("");
  return { look: "", end: `. The last lines of its ${reason.kind} log (for more, run ${command}):${lines}` };
}
