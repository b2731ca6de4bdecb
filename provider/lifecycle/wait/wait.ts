import { AgentPlatformError, CancelledError, isHttpError, isTransient, messageOf } from "../../base/errors";
import { currentSpan, within } from "../../base/spans";
import { showDuration } from "../../base/time";
import type { Call, Context } from "../observe/context";

/** The meaning of one answer: done, failed for good, or still pending. */
export type Outcome<T> =
  | { readonly state: "done"; readonly result: T }
  | { readonly state: "failed"; readonly error: () => Error | Promise<Error> }
  | { readonly state: "pending"; readonly status: string };

/** A wait for asynchronous work of the platform: a source that is polled, and a condition. */
export interface Wait<Seen, T> {
  /** The source: asks the platform now, until the given time at the latest. Transient errors count as pending; see {@link isTransient}. */
  readonly poll: (until: number) => Promise<Seen>;
  /** The condition. Pure: it knows nothing of time. */
  readonly condition: (seen: Seen) => Outcome<T>;
  /** Milliseconds until the wait gives up; sooner if the call's deadline comes first. */
  readonly limitMs: number;
  /** Its call's deadline ends the wait as the limit does, its signal ends it at once. */
  readonly context: Pick<Context, "clock" | "random" | "signal" | "call" | "connection">;
  /** The milliseconds before the next poll. @param longestMs As in {@link pauseAfter}. @default {@link pauseAfter} the time waited */
  readonly pause?: (waitedMs: number, random: number, longestMs: number) => number;
  /** The milliseconds before the first poll. @default 0 */
  readonly firstPauseMs?: number;
  /** Called with every pending answer: the status and the milliseconds waited. */
  readonly onPending?: (status: string, waitedMs: number) => void;
  /** The error of a wait that ran out of time: names the object, the last status and the next step (docs/internals/design.md, promise 7). */
  readonly timedOut: (status: string, waitedMs: number) => Error | Promise<Error>;
  /** The error of a wait that an error ended or that was cancelled: names the same things (docs/internals/design.md, promise 7). */
  readonly stopped: (problem: unknown, status: string, waitedMs: number) => Error;
}

/** The milliseconds that a wait may take: the declared limit, otherwise the call's deadline (customTimeouts), otherwise the resource's own limit. */
export const limitOf = (call: Pick<Call, "deadline">, declaredMs: number | undefined, ownMs: number): number =>
  declaredMs ?? (call.deadline === undefined ? ownMs : Infinity);

/** What ends a wait, for the person who watches: the engine passes only the second Ctrl-C on to a dynamic provider (docs/internals/engine.md, trap 30). */
export const howToEnd = ({ signal }: Pick<Context, "signal">): string =>
  signal === undefined ? "Ctrl-C twice ends the wait" : "Ctrl-C ends the wait";

/** Polls until the condition decides, the time is up, or the call is cancelled. Its span shows each change of the status. */
export function waitFor<Seen, T>(wait: Wait<Seen, T>): Promise<T> {
  return within(currentSpan()?.child("wait", {}), () => pollFor(wait));
}

async function pollFor<Seen, T>(wait: Wait<Seen, T>): Promise<T> {
  const { clock, random, signal, call, connection } = wait.context;
  const start = clock.now();
  const limitMs = Math.min(wait.limitMs, (call.deadline ?? Infinity) - start);
  const longestMs = connection.longestPause * 1000;
  const { pause = (waitedMs: number, share: number) => pauseAfter(waitedMs, false, share, longestMs) } = wait;
  const pauseMs = (atLeastMs = 0): number => {
    const waited = clock.now() - start;
    return Math.min(Math.max(pause(waited, random(), longestMs), atLeastMs), limitMs - waited);
  };
  const isCancelled = (): boolean => signal?.aborted === true;
  let last = "not seen yet";
  let recorded: string | undefined;
  let nextMs = Math.min(wait.firstPauseMs ?? 0, limitMs);
  for (;;) {
    if (nextMs > 0) await clock.sleep(nextMs, signal);
    const polled = isCancelled()
      ? { error: undefined }
      : await wait.poll(start + limitMs).then(
          (seen) => ({ seen }),
          (error: unknown) => ({ error }),
        );
    const waited = clock.now() - start;
    if (isCancelled()) throw wait.stopped(new CancelledError(), last, waited);
    if ("error" in polled && !isTransient(polled.error)) throw wait.stopped(polled.error, last, waited);
    const outcome =
      "error" in polled
        ? { state: "pending" as const, status: `${last} (now unknown: ${messageOf(polled.error)})` }
        : wait.condition(polled.seen);
    if (!("error" in polled)) recorded = recordStatus(outcome, recorded);
    if (outcome.state === "done") return outcome.result;
    if (outcome.state === "failed") throw await outcome.error();
    if (waited >= limitMs) throw await wait.timedOut(outcome.status, waited);
    wait.onPending?.(outcome.status, waited);
    if (!("error" in polled)) last = outcome.status;
    nextMs = pauseMs("error" in polled ? pauseAfterError(polled.error, waited, longestMs) : undefined);
  }
}

function recordStatus(outcome: Outcome<unknown>, before: string | undefined): string {
  const status = outcome.state === "pending" ? outcome.status : outcome.state;
  if (status !== before) currentSpan()?.event("status", { "agent_platform.status": status });
  return status;
}

/** The shortest pause after an error, in milliseconds: the usual pause, or Retry-After if that is longer. */
const pauseAfterError = (error: unknown, waitedMs: number, longestMs: number): number =>
  Math.max(pauseAfter(waitedMs, false, 0, longestMs), (isHttpError(error) ? error.retryAfterMs : undefined) ?? 0);

const SHORTEST_MS = 250;
/** The pause does not grow beyond this, jitter aside. */
const LONGEST_MS = 15_000;

/** The pause as a share of the age: in the last step, and before it. */
const [ENDING, PENDING] = [0.02, 0.03];

/**
 * The milliseconds before the next poll, with jitter: a share of the age of the awaited work, so that its end is noticed with a delay that is a small
 * part of the whole wait. @param isEnding The work is in its last step. @param random In [0, 1), to spread many waits. @param longestMs Jitter aside.
 */
export function pauseAfter(ageMs: number, isEnding: boolean, random: number, longestMs: number = LONGEST_MS): number {
  const share = ageMs * (isEnding ? ENDING : PENDING);
  return Math.round(Math.min(longestMs, Math.max(SHORTEST_MS, share)) * jitterOf(random));
}

const jitterOf = (random: number): number => 0.85 + 0.3 * random;

/** The milliseconds before the first poll of a deletion: it takes seconds at least. */
const DELETION_FIRST_MS = 1000;
const DELETION_LONGEST_MS = 5000;

/** The milliseconds before the next poll of a deletion, which takes seconds to minutes: a third of the time since the request, from 1 s to 5 s. */
const pauseOfDeletion = (sinceMs: number, random: number): number =>
  Math.round(Math.min(DELETION_LONGEST_MS, Math.max(DELETION_FIRST_MS, sinceMs / 3)) * jitterOf(random));

const DELETION_LIMIT_MS = 15 * 60_000;

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
    limitMs: limitOf(call, undefined, DELETION_LIMIT_MS),
    context,
    firstPauseMs: DELETION_FIRST_MS,
    pause: (sinceMs, random, longestMs) => Math.min(pauseOfDeletion(sinceMs, random), longestMs),
    onPending: (status, waitedMs) => log.progress({ status: `deleting ${what}: ${status}`, waitedMs }),
    timedOut: (status, waited) =>
      new AgentPlatformError(
        `${what} is still ${status} ${showDuration(waited)} after it was deleted. Run the command again, which resumes the wait`,
      ),
    stopped: (problem, status, waited) =>
      new AgentPlatformError(
        `${what}: the wait for its deletion ended after ${showDuration(waited)}, its last status was ${status}: ${messageOf(problem)}. Run the command again, which resumes the wait`,
        { cause: problem },
      ),
  });
}
