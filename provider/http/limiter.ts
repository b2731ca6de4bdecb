import type { Clock } from "../lifecycle/clock";
import type { Connection } from "../lifecycle/config";

/** The platform counts per 10 seconds (platform-api.md, Limits). */
export const WINDOW_MS = 10_000;

/** Says that the answer has come, or that none will. */
export type Ended = () => void;

/**
 * At most `limit` requests that are under way or ended less than `windowMs` ago, in the order in which they were asked for. The platform counts a
 * request when it arrives, which nobody here can see: it is no later than its answer, however long it waited for a socket or was under way.
 */
export class SlidingWindow {
  private readonly ended: number[] = [];
  private underWay = 0;
  private queue: Promise<void> = Promise.resolve();
  private someEnded: () => void = () => undefined;

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
    private readonly clock: Clock,
  ) {}

  /** Resolves when one more request may be sent. */
  async admit(): Promise<Ended> {
    this.queue = this.queue.then(() => this.waitForRoom());
    await this.queue;
    return () => this.end();
  }

  private async waitForRoom(): Promise<void> {
    for (;;) {
      const now = this.clock.now();
      while (this.ended[0] !== undefined && this.ended[0] <= now - this.windowMs) this.ended.shift();
      if (this.underWay + this.ended.length < this.limit) {
        this.underWay += 1;
        return;
      }
      const [oldest] = this.ended;
      // The first end makes no room, but says when there will be some.
      if (oldest === undefined) await new Promise<void>((resolve) => (this.someEnded = resolve));
      else await this.clock.sleep(oldest + this.windowMs - now);
    }
  }

  private end(): void {
    this.underWay -= 1;
    this.ended.push(this.clock.now());
    this.someEnded();
  }
}

/** One after the other, evenly, in the order in which they were asked for: a thousand waits are no burst for the platform, nor for our memory. */
class Pace {
  private next = -Infinity;

  constructor(
    private readonly intervalMs: number,
    private readonly clock: Clock,
  ) {}

  /** Resolves an interval after the one before, at once where that is long ago. */
  async admit(): Promise<void> {
    const now = this.clock.now();
    const at = Math.max(now, this.next);
    this.next = at + this.intervalMs;
    if (at > now) await this.clock.sleep(at - now);
  }
}

/** What one identity may send: all of it within the limit, and polls at the pace of half of it, so that many waits leave room for work. */
export class RequestLimit {
  private readonly all: SlidingWindow;
  private readonly polls: Pace;

  constructor(limit: number, windowMs: number, clock: Clock) {
    this.all = new SlidingWindow(limit, windowMs, clock);
    this.polls = new Pace(windowMs / Math.max(1, Math.floor(limit / 2)), clock);
  }

  /** Resolves when one more request may be sent. */
  async admit({ isPoll }: { readonly isPoll: boolean }): Promise<Ended> {
    // Waiting for its turn first, a poll does not stand in the way of others in the queue for all.
    if (isPoll) await this.polls.admit();
    return this.all.admit();
  }
}

const limits = new WeakMap<Clock, Map<string, RequestLimit>>();

/** The limit of a connection: one per base URL and key, shared by all that this process sends. */
export function limitOf(connection: Connection, baseUrl: string, clock: Clock): RequestLimit {
  const byIdentity = limits.get(clock) ?? new Map<string, RequestLimit>();
  limits.set(clock, byIdentity);
  const limit = Math.max(1, Math.floor(connection.rateLimit));
  const identity = JSON.stringify([baseUrl, connection.apiKey, connection.bearerToken, limit]);
  const shared = byIdentity.get(identity) ?? new RequestLimit(limit, WINDOW_MS, clock);
  byIdentity.set(identity, shared);
  return shared;
}
