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

const windows = new WeakMap<Clock, Map<string, SlidingWindow>>();

/** The window of a connection: one per base URL and key, shared by all that this process sends. */
export function windowOf(connection: Connection, baseUrl: string, clock: Clock): SlidingWindow {
  const byIdentity = windows.get(clock) ?? new Map<string, SlidingWindow>();
  windows.set(clock, byIdentity);
  const limit = Math.max(1, Math.floor(connection.rateLimit));
  const identity = JSON.stringify([baseUrl, connection.apiKey, connection.bearerToken, limit]);
  const window = byIdentity.get(identity) ?? new SlidingWindow(limit, WINDOW_MS + MARGIN_MS, clock);
  byIdentity.set(identity, window);
  return window;
}
