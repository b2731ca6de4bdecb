import type { Clock } from "../base/clock";
import { TransportError } from "../base/errors";

import type { RequestLimit } from "./limiter";
import { isRateLimit, REFUSED_BUDGETS, retryDelay } from "./retry";
import { showDuration } from "../base/time";
import type { Request } from "./request";

/** What {@link repeat} uses to space its attempts. */
export interface Pacing {
  readonly clock: Clock;
  readonly random: () => number;
  readonly limit: RequestLimit;
  /** How often it is tried at most. */
  readonly attempts: number;
  /** Milliseconds from when it is first sent, its repetitions and their pauses included. */
  readonly budgetMs: number;
  /** Once it is aborted, nothing is tried again. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Tries, within the rate limit, until it succeeds, must not be retried, or would have to sleep past its deadline: `until`, or the budget, counted from
 * when it was first sent ({@link REFUSED_BUDGETS} budgets if the rate limit refused it). The wait for its first turn does not count.
 */
export async function repeat<T>(
  request: Request,
  { clock, random, limit, signal, attempts: most, budgetMs }: Pacing,
  until: number | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  const { isPoll = false, isBrief = false } = request;
  const ended = await limit.admit({ isPoll, until });
  if (ended === undefined) throw notSent(request);
  const began = clock.now();
  const deadlineOf = (isRefused: boolean): number =>
    Math.min(until ?? Infinity, began + budgetMs * (isRefused ? REFUSED_BUDGETS : 1));
  let admitted = ended;
  for (let attempts = 1; ; attempts++) {
    try {
      const result = await attempt();
      admitted();
      return result;
    } catch (error) {
      const delay = retryDelay(request, error, attempts, random(), most);
      const isRefused = isRateLimit(request, error);
      admitted(isRefused ? delay : undefined);
      const again = await waitForTurn(delay, isRefused);
      if (again === undefined) throw tried(error, attempts, clock.now() - began);
      admitted = again;
    }
  }

  async function waitForTurn(delay: number | undefined, isRefused: boolean) {
    const deadline = deadlineOf(isRefused);
    if (isBrief || delay === undefined || clock.now() + delay >= deadline || signal?.aborted) return undefined;
    // After a refusal, the limiter holds all requests back for this delay; this one waits in its queue and keeps its place.
    if (!isRefused) await clock.sleep(delay, signal);
    if (signal?.aborted) return undefined;
    return limit.admit({ isPoll, firstSent: began, until: deadline });
  }
}

function tried(error: unknown, attempts: number, milliseconds: number): unknown {
  if (error instanceof Error && attempts > 1) {
    error.message += ` (tried ${attempts} times in ${showDuration(milliseconds)})`;
  }
  return error;
}

const notSent = ({ method, path }: Request): TransportError =>
  new TransportError(
    method,
    path,
    "it was not sent before the deadline, because the rate limit left no room: run fewer operations in parallel, or raise rateLimit if the platform allows more",
    false,
  );
