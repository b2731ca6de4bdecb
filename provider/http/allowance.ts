/** One refusal lowers it to no less than this part: the first refusal of a burst arrives before most of the accepted requests are answered. */
const STEEPEST = 1 / 8;
/** The same once requests are spaced: a refusal then says that they are a few too many, whoever sent the others. */
const GENTLY = 0.7;
/** A window without a refusal raises it by a half, and by one: what others of the same key have left is soon taken up. */
const GROWTH = 1.5;

/** How many requests a window may hold: the limit, or less if the platform turned out to take less; then step by step more. Told the time. */
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

  /** The platform refused one more than the `passed` of the last window. It grows again after `heldUntil`. */
  lower(now: number, passed: number, heldUntil: number): void {
    const before = this.at(now);
    const least = before < this.limit ? GENTLY : STEEPEST;
    this.count = Math.min(before, Math.max(1, passed, before * least));
    this.grownAt = heldUntil;
  }
}
