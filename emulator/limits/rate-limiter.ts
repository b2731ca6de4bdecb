import { createHash } from "node:crypto";
import { ApiError } from "../base/api-error";
import type { Clock } from "../base/clock";
import type { Exchange, Layer } from "../base/exchange";
import { setLatest } from "../base/set-latest";
import { SlidingWindow } from "./sliding-window";
import { FALLBACK_ROWS, type IdentityKey, type LimitRow, type RequestPattern, SPECIFIC_ROWS } from "./limits-table";

/** How a refused request learns when to retry: the form of Retry-After. */
export type RetryAfterForm = "seconds" | "date" | "none";

/** The rate limits of docs/internals/platform.md, Limits. */
export interface LimitOptions {
  /** Chooses the column of the limits table. @default "us" */
  readonly region?: "us" | "eu";
  /** Enforce the rate limits. @default false; with true, the form of Retry-After is "seconds" */
  readonly limits?: boolean | { readonly retryAfter: RetryAfterForm };
}

/** The options with every default filled in. */
interface LimitSettings {
  readonly region: "us" | "eu";
  readonly retryAfter: RetryAfterForm;
}

/** The settings, or undefined unless the limits are enforced. */
export function limitSettings({ region = "us", limits = false }: LimitOptions): LimitSettings | undefined {
  if (limits === false) return undefined;
  return { region, retryAfter: limits === true ? "seconds" : limits.retryAfter };
}

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

/** The most identities per row: a client may send any key, and a new one each time. */
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

  /** Counts a request; returns the refusal if it exceeds the limit. */
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

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** How closely a pattern describes the request, more is more specific; undefined unless it matches. */
function closeness(pattern: RequestPattern, method: string, path: string): number | undefined {
  if (pattern.method !== undefined && pattern.method !== method) return undefined;
  const byMethod = pattern.method === undefined ? 0 : 1;
  const { is, at, ends, contains } = pattern;
  if (is !== undefined) return path.replace(UUID, "{uuid}") === is ? 40_000 + is.length + byMethod : undefined;
  if (at !== undefined) return path === at || path.startsWith(`${at}/`) ? 30_000 + 2 * at.length + byMethod : undefined;
  if (ends !== undefined) return path.endsWith(ends) ? 20_000 + 2 * ends.length + byMethod : undefined;
  if (contains !== undefined) return path.includes(contains) ? 10_000 + 2 * contains.length + byMethod : undefined;
  // A bare method: OPTIONS. A preflight carries no key, so no other row would apply to it.
  return byMethod === 0 ? 0 : 50_000;
}

/** The row that governs a request with these identities: the most specific one. Source: docs/internals/platform.md, Limits. */
function governingRowOf(method: string, path: string, has: (identity: IdentityKey) => boolean): LimitRow {
  let found: { row: LimitRow; closeness: number } | undefined;
  for (const row of [...SPECIFIC_ROWS, ...FALLBACK_ROWS]) {
    if (!has(row.identity)) continue;
    for (const pattern of row.match) {
      const close = closeness(pattern, method, path);
      if (close !== undefined && close > (found?.closeness ?? -1)) found = { row, closeness: close };
    }
  }
  if (found === undefined) throw new Error("No row of the limits table holds for every request.");
  return found.row;
}
