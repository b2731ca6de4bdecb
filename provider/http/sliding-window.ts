import type { Clock } from "../base/clock";

/** How long requests without a deadline wait for their first turn while the platform refuses all requests: a Retry-After can be a minute. */
const REFUSED_PATIENCE_MS = 2 * 60_000;

/**
 * Reports that the answer has come, or will not come.
 * @param refusedForMs If the rate limit refused the request: how long all other requests are held back as well.
 */
export type Ended = (refusedForMs?: number) => void;

/** A request that waits to be sent. */
export interface Turn {
  /** When it was first sent. It goes before requests that were sent later or never, because its budget is running. @default not sent yet */
  readonly firstSent?: number;
  /** When the request gives up. @default never, as long as the platform accepts some requests */
  readonly until?: number | undefined;
}

interface Waiter extends Turn {
  readonly settle: (ended: Ended | undefined) => void;
}

const LONGEST_HOLD_MS = 10 * 60_000;

/**
 * Admits requests in the order of the calls, so that at most `limit` of them are under way or ended less than `windowMs` ago. The platform counts a
 * request when it arrives; that cannot be seen here, but is never later than its answer. A refused request does not count, but holds all others back
 * and lowers the limit to what the platform accepts ({@link Allowance}).
 */
export class SlidingWindow {
  private readonly allowance: Allowance;
  private readonly ended: number[] = [];
  /** In the order in which they are admitted. */
  private waiting: Waiter[] = [];
  private underWay = 0;
  /** Until when the platform accepts no request; in the past if it accepts them. */
  heldUntil = -Infinity;
  private nextAt = -Infinity;
  private refusedSince: number | undefined;
  /** How often the limit was lowered: the refusals of one burst lower it once. */
  private lowerings = 0;
  private opensAt: number | undefined;
  private isAdmitting = false;
  private someEnded: () => void = () => undefined;

  /** @param mostUnderWay How many may be under way, whatever the limit. */
  constructor(
    limit: number,
    private readonly windowMs: number,
    private readonly clock: Clock,
    private readonly mostUnderWay = Infinity,
  ) {
    this.allowance = new Allowance(limit, windowMs);
  }

  /** How many requests a window may hold now. */
  get allowed(): number {
    return this.allowance.at(this.clock.now());
  }

  /** Resolves when one more request may be sent; with undefined as soon as it is clear that this will be too late. */
  admit(turn: Turn = {}): Promise<Ended | undefined> {
    const isIdle = this.underWay === 0 && !this.someWait;
    if (isIdle && this.clock.now() >= this.heldUntil) this.refusedSince = undefined;
    return new Promise((settle) => {
      const waiter: Waiter = { ...turn, settle };
      if (this.opensAt !== undefined && this.isTooLate(waiter, this.opensAt)) settle(undefined);
      else this.queue(waiter);
      void this.admitAll();
    });
  }

  private queue(waiter: Waiter): void {
    const { firstSent = Infinity } = waiter;
    const earlier = this.waiting.findLastIndex((other) => (other.firstSent ?? Infinity) <= firstSent);
    this.waiting.splice(earlier + 1, 0, waiter);
  }

  /** No request is sent before this time: the platform refuses all until then, or requests are spaced after a refusal. */
  private get pausedUntil(): number {
    return Math.max(this.heldUntil, this.nextAt);
  }

  private get someWait(): boolean {
    return this.waiting.length > 0;
  }

  private async admitAll(): Promise<void> {
    if (this.isAdmitting) return;
    this.isAdmitting = true;
    for (;;) {
      while (this.someWait && this.hasRoom()) this.admitNext();
      if (!this.someWait) break;
      await this.waitForRoom();
      this.giveUp(this.clock.now());
    }
    this.isAdmitting = false;
  }

  private hasRoom(): boolean {
    const now = this.clock.now();
    this.forget(now);
    const isOpen = now >= this.pausedUntil && this.underWay < this.mostUnderWay;
    return isOpen && this.underWay + this.ended.length < this.allowance.at(now);
  }

  private admitNext(): void {
    const waiter = this.waiting.shift();
    this.underWay += 1;
    const now = this.clock.now();
    this.nextAt = now + this.allowance.intervalAt(now);
    const { lowerings } = this;
    waiter?.settle((refusedForMs) => this.end(lowerings, refusedForMs));
  }

  private async waitForRoom(): Promise<void> {
    const now = this.clock.now();
    const [oldest] = this.ended;
    const isHeld = this.pausedUntil > now;
    // When the first request ends, there is no room yet, but it is known when there will be.
    if (!isHeld && (this.underWay >= this.mostUnderWay || oldest === undefined)) {
      await new Promise<void>((resolve) => (this.someEnded = resolve));
      return;
    }
    const opensAt = isHeld ? this.pausedUntil : (oldest ?? now) + this.windowMs;
    this.giveUp(opensAt);
    if (!this.someWait) return;
    this.opensAt = opensAt;
    await this.clock.sleep(opensAt - now);
    this.opensAt = undefined;
  }

  private giveUp(opensAt: number): void {
    const late = this.waiting.filter((waiter) => this.isTooLate(waiter, opensAt));
    this.waiting = this.waiting.filter((waiter) => !this.isTooLate(waiter, opensAt));
    for (const { settle } of late) settle(undefined);
  }

  private isTooLate({ until }: Waiter, opensAt: number): boolean {
    return (until ?? (this.refusedSince ?? Infinity) + REFUSED_PATIENCE_MS) <= opensAt;
  }

  private end(lowerings: number, refusedForMs: number | undefined): void {
    const now = this.clock.now();
    this.underWay -= 1;
    if (refusedForMs === undefined) {
      this.refusedSince = undefined;
      this.ended.push(now);
    } else {
      this.refusedSince ??= now;
      this.heldUntil = Math.max(this.heldUntil, now + Math.min(refusedForMs, LONGEST_HOLD_MS));
      if (lowerings === this.lowerings) this.lower(now);
    }
    this.someEnded();
  }

  private lower(now: number): void {
    this.forget(now);
    this.allowance.lower(now, this.ended.length, this.heldUntil);
    this.lowerings += 1;
  }

  private forget(now: number): void {
    while (this.ended[0] !== undefined && this.ended[0] <= now - this.windowMs) this.ended.shift();
  }
}

/** One refusal lowers the allowance at most to this share: the first refusal of a burst arrives before most accepted requests are answered. */
const STEEPEST = 1 / 8;
/** The same while requests are spaced: a refusal then means that they are only a few too many, possibly because of other clients. */
const GENTLY = 0.7;
/** A window without a refusal raises it by half and by one, so that it soon uses what other clients with the same key leave. */
const GROWTH = 1.5;

/** How many requests a window may hold: the limit, or fewer once the platform has refused one; then it grows step by step. The caller passes the time. */
class Allowance {
  private count: number;
  private grownAt = -Infinity;

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
  ) {
    this.count = limit;
  }

  at(now: number): number {
    for (; this.count < this.limit && now - this.grownAt >= this.windowMs; this.grownAt += this.windowMs) {
      this.count = Math.min(this.limit, this.count * GROWTH + 1);
    }
    return Math.floor(this.count);
  }

  /** The pause between two requests: none, until the platform has refused one. */
  intervalAt(now: number): number {
    const allowed = this.at(now);
    return allowed < this.limit ? this.windowMs / allowed : 0;
  }

  /** The platform refused a request after it had accepted `passed` of them in the last window. The allowance grows again after `heldUntil`. */
  lower(now: number, passed: number, heldUntil: number): void {
    const before = this.at(now);
    const least = before < this.limit ? GENTLY : STEEPEST;
    this.count = Math.min(before, Math.max(1, passed, before * least));
    this.grownAt = heldUntil;
  }
}
