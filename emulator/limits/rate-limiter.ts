import { createHash } from "node:crypto";
import { ApiError } from "../base/api-error";
import type { Clock } from "../base/clock";
import type { Exchange, Layer } from "../base/exchange";
import { setLatest } from "../base/set-latest";
import { governingRowOf } from "./governing-row";
import type { IdentityKey, LimitRow } from "./limits-table";
import type { LimitSettings } from "./options";
import { SlidingWindow } from "./sliding-window";

/** The parts of a request that a limit looks at. */
export interface LimitedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly ip: string;
}

/** The request's identity of this kind, or undefined when it has none. */
function identityOf(key: IdentityKey, { headers, ip }: LimitedRequest): string | undefined {
  switch (key) {
    case "x-api-key":
      // The table does not mention bearer tokens. A token gives the same access as the key, so it counts as the key.
      return headers.get("x-api-key") ?? /^Bearer +([^ ].*)$/i.exec(headers.get("authorization") ?? "")?.[1];
    case "x-user-id + IP": {
      const user = headers.get("x-user-id");
      return user === null ? undefined : `${user} ${ip}`;
    }
    case "IP":
      return ip;
  }
}

/** The row that governs a request, the most specific one, and the identity that it counts. Source: docs/internals/platform.md, Limits. */
export function governingRow(request: LimitedRequest): { row: LimitRow; identity: string } {
  const row = governingRowOf(request.method, request.path, (key) => identityOf(key, request) !== undefined);
  return { row, identity: identityOf(row.identity, request) ?? "" };
}

/** Of each row: anybody may bring any key, and a new one every time. */
const MOST_IDENTITIES = 1000;

/** The limits table at work: sliding windows on the clock of the emulator. */
export class RateLimiter implements Layer {
  private readonly windows = new Map<LimitRow, Map<string, SlidingWindow>>();
  private sweptAt = -Infinity;

  constructor(
    private readonly settings: LimitSettings,
    private readonly clock: Clock,
  ) {}

  /** How many windows are kept: one for each identity with a request within the interval of its row. */
  get size(): number {
    return [...this.windows.values()].reduce((sum, windows) => sum + windows.size, 0);
  }

  /** Forgets all requests so far. */
  reset(): void {
    this.windows.clear();
  }

  beforeRoute({ request, url, incoming }: Exchange): Promise<Response | undefined> {
    const ip = incoming.socket.remoteAddress ?? "";
    const refused = this.check({ method: request.method, path: url.pathname, headers: request.headers, ip });
    return Promise.resolve(refused?.toResponse());
  }

  /** Counts a request, and gives the refusal if it is one too many. */
  check(request: LimitedRequest): ApiError | undefined {
    const now = this.clock.now();
    this.sweep(now);
    const governing = governingRow(request);
    const { row } = governing;
    const identity = createHash("sha1").update(governing.identity).digest("base64");
    const { count, seconds } = row[this.settings.region];
    const windows = this.windows.get(row) ?? new Map<string, SlidingWindow>();
    const window = windows.get(identity) ?? new SlidingWindow(count, seconds * 1000);
    this.windows.set(row, windows);
    setLatest(windows, identity, window, MOST_IDENTITIES);
    const waitMs = window.take(now);
    if (waitMs === 0) return undefined;
    const detail = `Rate limit exceeded: ${count} requests in ${seconds} seconds (${row.category})`;
    return new ApiError(429, detail, this.retryAfterHeader(now, waitMs));
  }

  /** Never too early: a retry at that time succeeds. */
  private retryAfterHeader(now: number, waitMs: number): Record<string, string> {
    switch (this.settings.retryAfter) {
      case "none":
        return {};
      case "seconds":
        return { "retry-after": String(Math.ceil(waitMs / 1000)) };
      case "date":
        return { "retry-after": new Date(Math.ceil((now + waitMs) / 1000) * 1000).toUTCString() };
    }
  }

  /** Drops windows that no longer hold back any request; at most once a second, because it looks at all of them. */
  private sweep(now: number): void {
    if (now - this.sweptAt < 1000) return;
    this.sweptAt = now;
    for (const windows of this.windows.values()) {
      for (const [identity, window] of windows) if (window.isEmpty(now)) windows.delete(identity);
    }
  }
}
