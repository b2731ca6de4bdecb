import type { Clock } from "../base/clock";
import {
  isAnswerError,
  isHttpError,
  isNotFound,
  isTransportError,
  isUnclear,
  messageOf,
  TransportError,
} from "../base/errors";
import { showDuration } from "../base/time";
import type { RequestLimit } from "./limiter";
import type { Request } from "./request";
import type { Ended } from "./sliding-window";

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** How many budgets a request may take if the platform's rate limit refuses it: all others wait as well, and a Retry-After can be a minute. */
const REFUSED_BUDGETS = 2;

interface Pacing {
  readonly clock: Clock;
  readonly random: () => number;
  readonly limit: RequestLimit;
  readonly attempts: number;
  /** Milliseconds from when it is first sent, its repetitions and their pauses included. */
  readonly budgetMs: number;
  /** Once it is aborted, no request waits, nothing is tried again, and nothing is sent that changes something. */
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
  attempt: (number: number) => Promise<T>,
): Promise<T> {
  const isPoll = request.effort === "poll";
  const ended = await admit({ isPoll, until });
  if (ended === undefined) throw notSent(request, signal?.aborted === true);
  const began = clock.now();
  const deadlineOf = (isRefused: boolean): number =>
    Math.min(until ?? Infinity, began + budgetMs * (isRefused ? REFUSED_BUDGETS : 1));
  let [admitted, refusals] = [ended, 0];
  let unclear: unknown;
  for (let attempts = 1; ; attempts++) {
    try {
      const result = await attempt(attempts);
      admitted();
      return result;
    } catch (error) {
      const isRefused = isRateLimit(request, error);
      if (!isRead(request) && isUnclear(error)) unclear ??= error;
      const delay = retryDelay(request, error, isRefused ? attempts : attempts - refusals, random(), most);
      if (isRefused) refusals += 1;
      admitted(isRefused ? delay : undefined);
      const again = await waitForTurn(delay, isRefused);
      if (again === undefined) throw tried(mostUnclear(unclear, error), attempts, clock.now() - began);
      admitted = again;
    }
  }

  async function waitForTurn(delay: number | undefined, isRefused: boolean) {
    const deadline = deadlineOf(isRefused);
    const isLast = request.effort === "once" || delay === undefined || clock.now() + delay >= deadline;
    if (isLast || signal?.aborted) return undefined;
    // After a refusal, the limiter holds all requests back for this delay; this one waits in its queue and keeps its place.
    if (!isRefused) await clock.sleep(delay, signal);
    if (signal?.aborted) return undefined;
    return admit({ isPoll, firstSent: began, until: deadline });
  }

  /** As the limit does; undefined also if the run is cancelled before this request can be sent. */
  async function admit(turn: Parameters<RequestLimit["admit"]>[0]): Promise<Ended | undefined> {
    const admission = limit.admit(turn);
    let cancel = (): void => undefined;
    const cancelled = new Promise<undefined>((resolve) => {
      cancel = () => resolve(undefined);
      // A turn that needs no wait comes first.
      if (signal?.aborted) setImmediate(cancel);
      else signal?.addEventListener("abort", cancel, { once: true });
    });
    const turnEnded = await Promise.race([admission, cancelled]);
    signal?.removeEventListener("abort", cancel);
    if (!signal?.aborted || (turnEnded !== undefined && isRead(request))) return turnEnded;
    void admission.then((late) => late?.());
    return undefined;
  }
}

/**
 * If an earlier try had no clear answer, the change may have been made although the last try was refused. A final "not found" is clear: the
 * rename or delete was made.
 */
function mostUnclear(unclear: unknown, last: unknown): unknown {
  if (!(unclear instanceof Error) || isUnclear(last) || isNotFound(last)) return last;
  unclear.message += `; then ${messageOf(last)}`;
  return unclear;
}

function tried(error: unknown, attempts: number, milliseconds: number): unknown {
  if (error instanceof Error && attempts > 1) {
    error.message += ` (tried ${attempts} times in ${showDuration(milliseconds)})`;
  }
  return error;
}

const notSent = ({ method, path }: Request, isCancelled: boolean): TransportError =>
  new TransportError(
    method,
    path,
    isCancelled
      ? "it was not sent, because the run was cancelled"
      : "it was not sent before the deadline, because the rate limit left no room: run fewer operations in parallel, or raise rateLimit if the platform allows more",
    false,
  );

/**
 * Milliseconds until the request may be sent again after its `attempt`-th try failed this way; undefined if it must not be. Pure. A refusal by the rate
 * limit does not count as an attempt, because it says when to retry; a patient request has no limit of attempts if the platform answered. A request that
 * certainly had no effect is repeated whatever its method; one that may have had an effect, only if that is harmless.
 */
export function retryDelay(
  request: Request,
  error: unknown,
  attempt: number,
  random: number,
  attempts: number,
): number | undefined {
  if (isRateLimit(request, error)) return delayAfter(error, attempt, random);
  const never = isTransportError(error) && !error.mayHaveHappened;
  // Without a usable answer, the address may be wrong, so patience would not help.
  const isWorthIt = request.effort === "patient" && !never && !isAnswerError(error);
  if (attempt >= attempts && !isWorthIt) return undefined;
  const isRepeatable = request.repeatable ?? (isRead(request) || request.method === "DELETE");
  if (!never && !(isRepeatable && isPassing(error))) return undefined;
  return delayAfter(error, attempt, random);
}

/** Capped exponential back-off with full jitter, or Retry-After if that is longer: a platform that says 0 would otherwise get requests without a pause. */
function delayAfter(error: unknown, attempt: number, random: number): number {
  const backoff = Math.round(random * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)));
  return Math.max((isHttpError(error) ? error.retryAfterMs : undefined) ?? 0, backoff);
}

/** 429 means that the request was refused; on a sandbox path it can mean a quota, which waiting does not help (docs/internals/platform.md, Sandbox templates). */
function isRateLimit({ path }: Request, error: unknown): boolean {
  if (!isHttpError(error) || error.status !== 429) return false;
  return !(path.startsWith("/v2/sandboxes/") && /quota/i.test(error.detail));
}

/** Whether the request only reads. */
export const isRead = ({ method, isRead: reads }: Request): boolean => reads ?? method === "GET";

function isPassing(error: unknown): boolean {
  if (isHttpError(error)) return error.status === 502 || error.status === 503 || error.status === 504;
  // An invalid body may have been cut off, or written, by a proxy.
  return (isTransportError(error) && !error.isLasting) || isAnswerError(error);
}

/** Milliseconds that a Retry-After header asks for, as seconds or as an HTTP date; undefined if it says nothing usable. */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== "string") return undefined;
  if (/^\d{1,15}(\.\d+)?$/.test(header.trim())) return Math.ceil(Number(header) * 1000);
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
