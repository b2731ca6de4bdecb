import { AgentPlatformError } from "../../base/errors";
import { shellWord } from "../../base/shell";
import { showDuration } from "../../base/time";
import type { Context } from "../../lifecycle/observe/context";
import type { PollResult } from "./classify";
import { reasonFor, type Reason } from "./reason";

/** A rollout whose wait is over. */
export interface Waited {
  readonly context: Context;
  readonly deploymentId: string;
  /** The deployment, for messages. */
  readonly what: string;
  readonly waitedMs: number;
}

/** The error of a revision that failed. It ends with the last lines of its log. */
export async function failed(waited: Waited, seen: PollResult, advice: string): Promise<AgentPlatformError> {
  const { what, waitedMs } = waited;
  const { revisionId, status } = seen;
  const { look, end } = await logs(waited, seen, "The platform gives no reason: look at the revision's logs there. ");
  return new AgentPlatformError(
    `${what}: revision ${revisionId ?? "(unnamed)"} ended as ${status} after ${showDuration(waitedMs)}. ${look}${advice}${end}`,
  );
}

/** The error of a wait that ran out of time. It ends with the last lines of the revision's log. @param name The revision, for messages. */
export async function timedOut(
  waited: Waited,
  name: string,
  seen: Pick<PollResult, "revisionId" | "status">,
  advice: string,
): Promise<AgentPlatformError> {
  const { what, waitedMs } = waited;
  const { look, end } = await logs(waited, seen, "Look at its logs on the platform. ");
  return new AgentPlatformError(
    `${what}: ${name} is still ${seen.status} after ${showDuration(waitedMs)}. ${look}${advice}${end}`,
  );
}

/** What the message says before and behind the next steps. @param without What it says where no line of a log is known. */
async function logs(
  { context, deploymentId }: Waited,
  { revisionId, status }: Pick<PollResult, "revisionId" | "status">,
  without: string,
): Promise<{ readonly look: string; readonly end: string }> {
  const reason = revisionId === null ? undefined : await reasonFor(context, { deploymentId, revisionId, status });
  if (revisionId === null || reason === undefined) return { look: without, end: "" };
  const command = `\`npx pulumi-agent-platform logs ${shellWord(deploymentId)} --revision ${shellWord(revisionId)}\``;
  return "lines" in reason
    ? shown(reason, command)
    : { look: `Its logs are not shown here (${reason.notShown}): run ${command}. `, end: "" };
}

const shown = ({ kind, lines }: Extract<Reason, { lines: unknown }>, command: string) => ({
  look: "",
  end: `. The last lines of its ${kind} log (for more, run ${command}):\n${lines.map((line) => `  ${line}`).join("\n")}`,
});
