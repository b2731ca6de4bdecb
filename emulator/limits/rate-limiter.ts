import { createHash } from "node:crypto";
import { ApiError } from "../base/api-error";
import type { Clock } from "../base/clock";
import { type Exchange, keyOf, type Layer } from "../base/exchange";
import { setLatest } from "../base/set-latest";

/** How a refused request learns when to retry: the form of Retry-After. */
export type RetryAfterForm = "seconds" | "date" | "none";

/** The rate limits of docs/internals/platform.md, Limits. */
export interface LimitOptions {
  /** Enforce the rate limits. @default false; with true, the form of Retry-After is "seconds" */
  readonly limits?: boolean | { readonly retryAfter: RetryAfterForm };
}

/** The form of Retry-After, or undefined unless the limits are enforced. */
export function retryAfterOf({ limits = false }: LimitOptions): RetryAfterForm | undefined {
  if (typeof limits !== "boolean") return limits.retryAfter;
  return limits ? "seconds" : undefined;
}

/** The parts of a request that a limit looks at. */
export interface LimitedRequest {
  readonly headers: Headers;
  readonly ip: string;
}

/** At most `count` requests in that many seconds, for each caller. */
interface Row {
  readonly category: string;
  readonly count: number;
  readonly seconds: number;
  /** What it counts by; undefined for a request that has no such thing. */
  readonly identityOf: (request: LimitedRequest) => string | undefined;
}

/** Of the platform's table, the rows that the paths of the emulator meet (emulator/README.md). The first that a request has an identity for counts it. */
const ROWS: readonly Row[] = [
  { category: "Default (API key)", count: 1000, seconds: 10, identityOf: ({ headers }) => keyOf(headers) },
  {
    ...{ category: "Default (User)", count: 1000, seconds: 10 },
    identityOf: ({ headers, ip }) => (headers.has("x-user-id") ? `${headers.get("x-user-id")} ${ip}` : undefined),
  },
  { category: "Public (catch-all)", count: 100, seconds: 60, identityOf: ({ ip }) => ip },
];

/** The most identities per row: a client may send any key, and a new one each time. */
const MOST_IDENTITIES = 1000;

/** Lets at most `count` requests through in any interval [t, t + length). Refused ones do not count. */
export class SlidingWindow {
  /** Times of the requests let through, oldest first. */
  private readonly times: number[] = [];

  constructor(
    private readonly count: number,
    private readonly lengthMs: number,
  ) {}

  /** 0 when the request is let through, else the milliseconds until the next one will be. */
  take(now: number): number {
    while ((this.times[0] ?? Infinity) <= now - this.lengthMs) this.times.shift();
    const [oldest] = this.times;
    if (oldest !== undefined && this.times.length >= this.count) return oldest + this.lengthMs - now;
    this.times.push(now);
    return 0;
  }
}

/** The rate limits at work: sliding windows on the clock of the emulator. */
export class RateLimiter implements Layer {
  private readonly rows = ROWS.map((row) => ({ ...row, windows: new Map<string, SlidingWindow>() }));

  constructor(
    private readonly retryAfter: RetryAfterForm,
    private readonly clock: Clock,
  ) {}

  reset(): void {
    for (const { windows } of this.rows) windows.clear();
  }

  beforeRoute({ request: { headers }, incoming }: Exchange): Promise<Response | undefined> {
    return Promise.resolve(this.check({ headers, ip: incoming.socket.remoteAddress ?? "" })?.toResponse());
  }

  /** Counts a request; returns the refusal if it exceeds the limit. */
  check(request: LimitedRequest): ApiError | undefined {
    const now = this.clock.now();
    for (const { identityOf, windows, category, count, seconds } of this.rows) {
      const caller = identityOf(request);
      if (caller === undefined) continue;
      const identity = createHash("sha1").update(caller).digest("base64");
      const window = windows.get(identity) ?? new SlidingWindow(count, seconds * 1000);
      setLatest(windows, identity, window, MOST_IDENTITIES);
      const waitMs = window.take(now);
      if (waitMs === 0) return undefined;
      const detail = `Rate limit exceeded: ${count} requests in ${seconds} seconds (${category})`;
      return new ApiError(429, detail, this.retryAfterHeader(now, waitMs));
    }
    return undefined;
  }

  /** Never too early: a retry at that time succeeds. */
  private retryAfterHeader(now: number, waitMs: number): Record<string, string> {
    if (this.retryAfter === "none") return {};
    const date = new Date(Math.ceil((now + waitMs) / 1000) * 1000).toUTCString();
    return { "retry-after": this.retryAfter === "date" ? date : String(Math.ceil(waitMs / 1000)) };
  }
}
