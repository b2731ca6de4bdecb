import type { Clock } from "../lifecycle/clock";
import type { Connection } from "../lifecycle/config";

/** The platform counts per 10 seconds (platform-api.md, Limits). */
export const WINDOW_MS = 10_000;
/** The platform counts when a request arrives, we when it leaves: the time under way differs from request to request. */
const MARGIN_MS = 200;

/** At most `limit` admissions in any `windowMs`, in the order in which they were asked for. */
export class SlidingWindow {
  private readonly admitted: number[] = [];
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
    private readonly clock: Clock,
  ) {}

  /** Resolves when one more request may be sent. */
  admit(): Promise<void> {
    this.queue = this.queue.then(() => this.waitForRoom());
    return this.queue;
  }

  private async waitForRoom(): Promise<void> {
    for (;;) {
      const now = this.clock.now();
      while (this.admitted[0] !== undefined && this.admitted[0] <= now - this.windowMs) this.admitted.shift();
      const [oldest] = this.admitted;
      if (oldest === undefined || this.admitted.length < this.limit) {
        this.admitted.push(now);
        return;
      }
      await this.clock.sleep(oldest + this.windowMs - now);
    }
  }
}

/** What one identity may send: all of it within the limit, and polls within half of it, so that many waits leave room for work. */
export class RequestLimit {
  private readonly all: SlidingWindow;
  private readonly polls: SlidingWindow;

  constructor(limit: number, windowMs: number, clock: Clock) {
    this.all = new SlidingWindow(limit, windowMs, clock);
    this.polls = new SlidingWindow(Math.max(1, Math.floor(limit / 2)), windowMs, clock);
  }

  /** Resolves when one more request may be sent. */
  async admit({ isPoll }: { readonly isPoll: boolean }): Promise<void> {
    // Waiting for its share first, a poll does not stand in the way of others in the queue for all.
    if (isPoll) await this.polls.admit();
    await this.all.admit();
  }
}

const limits = new WeakMap<Clock, Map<string, RequestLimit>>();

/** The limit of a connection: one per base URL and key, shared by all that this process sends. */
export function limitOf(connection: Connection, baseUrl: string, clock: Clock): RequestLimit {
  const byIdentity = limits.get(clock) ?? new Map<string, RequestLimit>();
  limits.set(clock, byIdentity);
  const limit = Math.max(1, Math.floor(connection.rateLimit));
  const identity = JSON.stringify([baseUrl, connection.apiKey, connection.bearerToken, limit]);
  const shared = byIdentity.get(identity) ?? new RequestLimit(limit, WINDOW_MS + MARGIN_MS, clock);
  byIdentity.set(identity, shared);
  return shared;
}
