/** One refusal lowers the allowance at most to this share: the first refusal of a burst arrives before most accepted requests are answered. */
const STEEPEST = 1 / 8;
/** The same while requests are spaced: a refusal then means that they are only a few too many, possibly because of other clients. */
const GENTLY = 0.7;
/** A window without a refusal raises it by half and by one, so that it soon uses what other clients with the same key leave. */
const GROWTH = 1.5;

/** How many requests a window may hold: the limit, or fewer once the platform has refused one; then it grows step by step. The caller passes the time. */
export class Allowance {
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
