import { isAnswerError, isHttpError, isTransportError } from "../base/errors";
import type { Request } from "./request";

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** How many budgets a request may take if the platform's rate limit refuses it: all others wait as well, and a Retry-After can be a minute. */
export const REFUSED_BUDGETS = 2;

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
  const isWorthIt = request.isPatient === true && !never && !isAnswerError(error);
  if (attempt >= attempts && !isWorthIt) return undefined;
  if (!never && !(isRepeatable(request) && isPassing(error))) return undefined;
  return delayAfter(error, attempt, random);
}

/** The back-off, or Retry-After if that is longer: a platform that says 0 would otherwise get requests without a pause. */
function delayAfter(error: unknown, attempt: number, random: number): number {
  return Math.max(retryAfter(error) ?? 0, backoff(attempt, random));
}

/** Capped exponential back-off with full jitter. */
function backoff(attempt: number, random: number): number {
  return Math.round(random * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)));
}

/** 429 means that the request was refused; on a sandbox path it can mean a quota, which waiting does not help (docs/internals/platform.md, Sandbox templates). */
export function isRateLimit({ path }: Request, error: unknown): boolean {
  if (!isHttpError(error) || error.status !== 429) return false;
  return !(path.startsWith("/v2/sandboxes/") && /quota/i.test(error.detail));
}

function isRepeatable(request: Request): boolean {
  return request.repeatable ?? (isRead(request) || request.method === "DELETE");
}

/** Whether it surely changes nothing. */
export const isRead = ({ method, isRead: reads }: Request): boolean => reads ?? method === "GET";

function isPassing(error: unknown): boolean {
  if (isHttpError(error)) return error.status === 502 || error.status === 503 || error.status === 504;
  // An invalid body may have been cut off, or written, by a proxy.
  return isTransportError(error) || isAnswerError(error);
}

function retryAfter(error: unknown): number | undefined {
  return isHttpError(error) ? error.retryAfterMs : undefined;
}

/** Milliseconds that a Retry-After header asks for, as seconds or as an HTTP date; undefined if it says nothing usable. */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== "string") return undefined;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.ceil(Number(header) * 1000);
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
