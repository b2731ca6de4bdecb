/** One refusal lowers it to no less than this part: the first refusal of a burst arrives before most of the accepted requests are answered. */
const STEEPEST = 1 / 8;
/** A window without a refusal raises it by a tenth, and by one. */
const GROWTH = 1.1;

/** How many requests a window may hold: the limit, or less if the platform turned out to take less; then slowly more. Told the time. */
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

  /** The platform refused one more than the `passed` of the last window. It grows again after `heldUntil`. */
  lower(now: number, passed: number, heldUntil: number): void {
    const before = this.at(now);
    this.count = Math.min(before, Math.max(1, passed, before * STEEPEST));
    this.grownAt = heldUntil;
  }
}
