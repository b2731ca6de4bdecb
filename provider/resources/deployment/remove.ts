import type { Deletion } from "../../lifecycle/observe/confirm-absence";
import { AgentPlatformError, isMissing, messageOf, notDeleted } from "../../base/errors";
import { DELETION_FIRST_MS, pauseOfDeletion } from "../../lifecycle/wait/pause";
import { limitOf, waitFor } from "../../lifecycle/wait/wait";
import { deleteDeployment } from "./api";
import { deploymentOf, isBeingDeleted } from "./observe";
import { showDuration } from "../../base/time";
import type { Context } from "../../lifecycle/observe/context";

const LIMIT_MS = 15 * 60_000;

/** Deletes the deployment, with its tracing project where that is asked for, and waits until it is gone. */
export async function removeDeployment(
  context: Context,
  id: string,
  what: string,
  withTracingProject: boolean,
): Promise<Deletion> {
  const answer = await requestDeletion(context, id, withTracingProject);
  if (answer !== "accepted") {
    const still = await waitFor({
      ...waitOf(context, id, what),
      condition: (seen) => ({ state: "done" as const, result: seen }),
    });
    if (still === undefined) return answer === "refused" ? "absent" : "deleted";
    // DELETE said 404 or 405, yet the deployment is there: this platform has no such endpoint.
    if (!isBeingDeleted(still) && answer === "refused") return { left: what };
    if (!isBeingDeleted(still)) throw notDeleted(what);
  }
  await waitUntilGone(context, id, what);
  return "deleted";
}

/** Accepted by the platform's own answer (204); answered with another success, perhaps from something in between; or refused: nothing to delete, or no such endpoint. */
async function requestDeletion(
  { send }: Context,
  id: string,
  withTracingProject: boolean,
): Promise<"accepted" | "answered" | "refused"> {
  try {
    const { status } = await deleteDeployment(send, id, withTracingProject);
    return status === 204 ? "accepted" : "answered";
  } catch (error) {
    // A gateway's 404 says nothing about the platform: the deployment stays in the state.
    if (!isMissing(error)) throw error;
    return "refused";
  }
}

/** DELETE is asynchronous: only the 404 of GET says that the deployment is gone (docs/internals/platform.md, Deletion of a deployment). */
export async function waitUntilGone(context: Context, id: string, what: string): Promise<void> {
  await waitFor({
    ...waitOf(context, id, what),
    firstPauseMs: DELETION_FIRST_MS,
    condition: (still) =>
      still === undefined
        ? { state: "done", result: undefined }
        : { state: "pending", status: still.status ?? "UNKNOWN" },
    pause: (sinceMs, random) => Math.min(pauseOfDeletion(sinceMs, random), context.connection.longestPause * 1000),
  });
}

/** What all polls of a deployment that was deleted have in common. */
function waitOf(context: Context, id: string, what: string) {
  const { clock, random, log, call } = context;
  return {
    poll: (until: number) => deploymentOf(context, id, until),
    limitMs: limitOf(call, undefined, LIMIT_MS),
    clock,
    random,
    call,
    onPending: (status: string, waitedMs: number) => log.progress({ status: `deleting ${what}: ${status}`, waitedMs }),
    timedOut: (status: string, waited: number) =>
      new AgentPlatformError(
        `${what} is still ${status} ${showDuration(waited)} after it was deleted. It stays in the state: run the command again, which resumes the wait`,
      ),
    stopped: (problem: unknown, status: string, waited: number) =>
      new AgentPlatformError(
        `${what}: the wait for its deletion ended after ${showDuration(waited)}, its last status was ${status}: ${messageOf(problem)}. ` +
          "It stays in the state: run the command again, which resumes the wait",
        { cause: problem },
      ),
  };
}
