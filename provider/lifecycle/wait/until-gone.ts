import { AgentPlatformError, messageOf } from "../../base/errors";
import { showDuration } from "../../base/time";
import type { Context } from "../observe/context";
import { DELETION_FIRST_MS, limitOf, pauseOfDeletion, waitFor } from "./wait";

const LIMIT_MS = 15 * 60_000;

/**
 * Waits until an object is gone that the platform deletes asynchronously.
 * @param statusOf Asks for its status; undefined once it is gone.
 */
export async function waitUntilGone(
  context: Context,
  what: string,
  statusOf: (until: number) => Promise<string | undefined>,
): Promise<void> {
  const { log, call } = context;
  await waitFor({
    poll: statusOf,
    condition: (status) => (status === undefined ? { state: "done", result: undefined } : { state: "pending", status }),
    limitMs: limitOf(call, undefined, LIMIT_MS),
    context,
    firstPauseMs: DELETION_FIRST_MS,
    pause: (sinceMs, random, longestMs) => Math.min(pauseOfDeletion(sinceMs, random), longestMs),
    onPending: (status, waitedMs) => log.progress({ status: `deleting ${what}: ${status}`, waitedMs }),
    timedOut: (status, waited) =>
      new AgentPlatformError(
        `${what} is still ${status} ${showDuration(waited)} after it was deleted. It stays in the state: run the command again, which resumes the wait`,
      ),
    stopped: (problem, status, waited) =>
      new AgentPlatformError(
        `${what}: the wait for its deletion ended after ${showDuration(waited)}, its last status was ${status}: ${messageOf(problem)}. It stays in the state: run the command again, which resumes the wait`,
        { cause: problem },
      ),
  });
}
