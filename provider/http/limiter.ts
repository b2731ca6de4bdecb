import type { Clock } from "../base/clock";
import type { Connection } from "../base/connection";
import { SlidingWindow, type Ended, type Turn } from "./sliding-window";

/** The platform counts per 10 seconds (docs/internals/platform.md, Limits). */
export const WINDOW_MS = 10_000;

/** Each request under way has its own socket: no request waits for a socket while its time limit runs. */
const MOST_UNDER_WAY = 64;

/** How long past its deadline a poll may wait for its turn: the last polls of many waits are all due at the very end. */
const LAST_TURN_MS = 1_000;

/** A poll that waits for its turn. */
interface Waiter {
  readonly until: number;
  readonly settle: (isInTime: boolean) => void;
}

/** Admits one after the other, evenly spaced, in the order of the calls, so that a thousand waits cause no burst of requests or of memory. */
class Pace {
  private next = -Infinity;
  private waiting: Waiter[] = [];

  constructor(
    private readonly window: SlidingWindow,
    private readonly windowMs: number,
    private readonly clock: Clock,
  ) {}

  /** Resolves one interval after the previous one, or at once if that was long ago; with false once it is clear that this is more than a moment after `until`. */
  admit(until = Infinity): Promise<boolean> {
    return new Promise((settle) => {
      if (this.isTooLate({ until })) settle(false);
      else if (this.waiting.push({ until, settle }) === 1) void this.admitAll();
    });
  }

  /** How long nobody is admitted: the next turn has not come, or the platform refuses all. */
  private get pauseMs(): number {
    return Math.max(this.next, this.window.heldUntil) - this.clock.now();
  }

  private isTooLate({ until }: Pick<Waiter, "until">): boolean {
    return this.pauseMs > 0 && this.clock.now() + this.pauseMs >= until + LAST_TURN_MS;
  }

  private async admitAll(): Promise<void> {
    for (let [first] = this.waiting; first !== undefined; [first] = this.waiting) {
      if (this.pauseMs <= 0) {
        this.next = this.clock.now() + this.windowMs / Math.max(1, Math.floor(this.window.allowed / 2));
        this.waiting.shift();
        first.settle(true);
        continue;
      }
      for (const { settle } of this.waiting.filter((each) => this.isTooLate(each))) settle(false);
      this.waiting = this.waiting.filter((each) => !this.isTooLate(each));
      if (this.waiting.length > 0) await this.clock.sleep(this.pauseMs);
    }
  }
}

/** The rate limit of one identity: all requests within the limit, polls at half its rate, so that many waits leave room for other work. */
export class RequestLimit {
  private readonly all: SlidingWindow;
  private readonly polls: Pace;

  constructor(limit: number, windowMs: number, clock: Clock) {
    this.all = new SlidingWindow(limit, windowMs, clock, MOST_UNDER_WAY);
    this.polls = new Pace(this.all, windowMs, clock);
  }

  /** Resolves when one more request may be sent; with undefined as soon as it is clear that this will be too late. */
  async admit({ isPoll, ...turn }: Turn & { readonly isPoll: boolean }): Promise<Ended | undefined> {
    // A poll waits for its turn here, so that it does not block others in the common queue. A refused poll does not wait again.
    if (isPoll && turn.firstSent === undefined && !(await this.polls.admit(turn.until))) return undefined;
    return this.all.admit(turn);
  }
}

/** The limits of one process: one per base URL and key, shared by all its requests. */
export class RequestLimits {
  private readonly byIdentity = new Map<string, RequestLimit>();

  constructor(private readonly clock: Clock) {}

  of(connection: Connection, baseUrl: string): RequestLimit {
    const limit = Math.max(1, Math.floor(connection.rateLimit));
    const identity = JSON.stringify([baseUrl, connection.apiKey, connection.bearerToken, limit]);
    const shared = this.byIdentity.get(identity) ?? new RequestLimit(limit, WINDOW_MS, this.clock);
    this.byIdentity.set(identity, shared);
    return shared;
  }
}
