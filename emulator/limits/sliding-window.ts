/** Lets at most `count` requests through in any interval [t, t + length). Refused ones do not count. */
export class SlidingWindow {
  /** Times of the requests let through, oldest first. */
  private readonly times: number[] = [];

  constructor(
    private readonly count: number,
    private readonly lengthMs: number,
  ) {}

  /** 0 when the request is let through, else the milliseconds until the next one will be. */
  take(now: number): number {
    while ((this.times[0] ?? Infinity) <= now - this.lengthMs) this.times.shift();
    const [oldest] = this.times;
    if (oldest !== undefined && this.times.length >= this.count) return oldest + this.lengthMs - now;
    this.times.push(now);
    return 0;
  }
}
