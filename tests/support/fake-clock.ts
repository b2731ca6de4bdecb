import type { Clock } from "../../provider/base/clock";

/** A clock on which a sleep takes no time: it moves on by as much as was slept. */
export class FakeClock implements Clock {
  private time: number;

  constructor(start = Date.UTC(2030, 0, 1)) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  sleep(milliseconds: number): Promise<void> {
    this.time += milliseconds;
    return Promise.resolve();
  }
}
