/** Lets at most `count` requests through in any interval [t, t + length). Refused ones do not count. */
export class SlidingWindow {
  /** Times of the requests let through, oldest first; those before index `first` are out of the window. */
  private times: number[] = [];
  private first = 0;

  constructor(
    private readonly count: number,
    private readonly lengthMs: number,
  ) {}

  /** 0 when the request is let through, else the milliseconds until the next one will be. */
  take(now: number): number {
    this.forget(now);
    const oldest = this.times[this.first];
    if (oldest !== undefined && this.times.length - this.first >= this.count) return oldest + this.lengthMs - now;
    this.times.push(now);
    return 0;
  }

  private forget(now: number): void {
    while ((this.times[this.first] ?? Infinity) <= now - this.lengthMs) this.first += 1;
    // Only occasionally, because moving the rest to the front takes time in proportion to its length.
    if (this.first > this.count) {
      this.times = this.times.slice(this.first);
      this.first = 0;
    }
  }
}
