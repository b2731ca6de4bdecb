import type { Clock } from "../base/clock";
import { AgentPlatformError, isHttpError, isTransient, messageOf } from "../base/errors";
import { currentSpan, within } from "../base/spans";
import type { Call } from "./context";
import { pauseAfter } from "./pause";

/** A judge's view of one answer: finished, failed for good, or to be polled again. */
export type Verdict<T> =
  | { readonly state: "done"; readonly result: T }
  | { readonly state: "failed"; readonly error: () => Error | Promise<Error> }
  | { readonly state: "pending"; readonly status: string };

/** A wait for something that the platform does in its own time. */
export interface Wait<Seen, T> {
  readonly probe: Probe<Seen>;
  /** Pure: what the answer means. Knows nothing of time. */
  readonly judge: (seen: Seen) => Verdict<T>;
  /** Milliseconds from now until the wait is given up; sooner if the call's deadline comes first. */
  readonly limitMs: number;
  readonly clock: Clock;
  /** The waiting call: its deadline ends the wait as its limit does, its signal ends it at once. @default neither */
  readonly call?: Pick<Call, "deadline" | "signal"> | undefined;
  /** A number in [0, 1), to spread the polls of many waits. */
  readonly random: () => number;
  /** The milliseconds before the next poll. @default {@link pauseAfter} the time waited */
  readonly pause?: (waitedMs: number, random: number) => number;
  /** No pause is longer, jitter aside, unless the platform asks for it. @default that of {@link pauseAfter} */
  readonly longestPauseMs?: number | undefined;
  /** The milliseconds before the first poll. @default 0 */
  readonly firstPauseMs?: number;
  /** Called with every pending answer: the status and the milliseconds waited. */
  readonly onPending?: (status: string, waitedMs: number) => void;
  /** The error of a wait that ran out of time: names the object, the last status and the next step (docs/design.md, promise 7). */
  readonly timedOut: (status: string, waitedMs: number) => Error | Promise<Error>;
  /** The error of a wait that ended with an answer that waiting will not change: names the same (docs/design.md, promise 7). */
  readonly stopped: (problem: unknown, status: string, waitedMs: number) => Error;
}

/** The milliseconds that a wait may take: what is declared, else what the call allows (customTimeouts), else the resource's own limit. */
export const limitOf = (call: Pick<Call, "deadline">, declaredMs: number | undefined, ownMs: number): number =>
  declaredMs ?? (call.deadline === undefined ? ownMs : Infinity);

/**
 * Pauses, then polls, until the given time at the latest. Where it polls more than once, since nothing was new, `nextPauseMs` says how long to
 * pause again. Transient errors count as pending; see {@link isTransient}.
 */
export type Probe<Seen> = (until: number, pauseMs: number, nextPauseMs: () => number) => Promise<Seen>;

/** A probe that sleeps for the pause, then polls once. */
export const afterSleep =
  <Seen>(
    { clock, call }: Pick<Wait<Seen, unknown>, "clock" | "call">,
    ask: (until: number) => Promise<Seen>,
  ): Probe<Seen> =>
  async (until, pauseMs) => {
    if (pauseMs > 0) await clock.sleep(pauseMs, call?.signal);
    return ask(until);
  };

/** Polls until the judge decides, the time is up, or the call is cancelled. Its span shows each change of the status. */
export function waitFor<Seen, T>(wait: Wait<Seen, T>): Promise<T> {
  return within(currentSpan()?.child("wait", {}), () => pollFor(wait));
}

async function pollFor<Seen, T>(wait: Wait<Seen, T>): Promise<T> {
  const { clock, call } = wait;
  const start = clock.now();
  const limitMs = Math.min(wait.limitMs, (call?.deadline ?? Infinity) - start);
  const { longestPauseMs } = wait;
  const { pause = (waitedMs: number, random: number) => pauseAfter({ ageMs: waitedMs }, random, longestPauseMs) } =
    wait;
  const pauseMs = (atLeastMs = 0): number => {
    const waited = clock.now() - start;
    return Math.min(Math.max(pause(waited, wait.random()), atLeastMs), limitMs - waited);
  };
  let last = "not seen yet";
  let recorded: string | undefined;
  let nextMs = Math.min(wait.firstPauseMs ?? 0, limitMs);
  for (;;) {
    const looked = await look(wait.probe, start + limitMs, nextMs, pauseMs);
    const waited = clock.now() - start;
    if (call?.signal?.aborted === true)
      throw wait.stopped(new AgentPlatformError("the run was cancelled"), last, waited);
    if ("error" in looked && !isTransient(looked.error)) throw wait.stopped(looked.error, last, waited);
    const verdict =
      "error" in looked
        ? { state: "pending" as const, status: `${last} (now unknown: ${messageOf(looked.error)})` }
        : wait.judge(looked.seen);
    if (!("error" in looked)) recorded = recordStatus(verdict, recorded);
    if (verdict.state === "done") return verdict.result;
    if (verdict.state === "failed") throw await verdict.error();
    if (waited >= limitMs) throw await wait.timedOut(verdict.status, waited);
    wait.onPending?.(verdict.status, waited);
    if (!("error" in looked)) last = verdict.status;
    nextMs = pauseMs("error" in looked ? pauseAfterError(looked.error, waited, longestPauseMs) : undefined);
  }
}

/** Shows the status in the span of the wait, unless it is the one before. */
function recordStatus(verdict: Verdict<unknown>, before: string | undefined): string {
  const status = verdict.state === "pending" ? verdict.status : verdict.state;
  if (status !== before) currentSpan()?.event("status", { "agent_platform.status": status });
  return status;
}

/** The milliseconds at least: a platform in trouble is polled no more often than for what takes long, and as seldom as it asks. */
const pauseAfterError = (error: unknown, waitedMs: number, longestMs: number | undefined): number =>
  Math.max(pauseAfter({ ageMs: waitedMs }, 0, longestMs), (isHttpError(error) ? error.retryAfterMs : undefined) ?? 0);

type Looked<Seen> = { readonly seen: Seen } | { readonly error: unknown };

async function look<Seen>(probe: Probe<Seen>, ...when: Parameters<Probe<Seen>>): Promise<Looked<Seen>> {
  try {
    return { seen: await probe(...when) };
  } catch (error) {
    return { error };
  }
}
