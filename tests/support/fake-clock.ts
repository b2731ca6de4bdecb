import { ManualClock } from "../../emulator";
import type { Clock } from "../../provider/base/clock";

/** A clock on which a sleep takes no time: it moves on by as much as was slept. */
export class FakeClock implements Clock {
  /** @param of Moves on with it: the clock of an emulator. @param pause Called in each sleep. */
  constructor(
    private readonly of = new ManualClock(),
    private readonly pause: (milliseconds: number) => void = () => undefined,
  ) {}

  now(): number {
    return this.of.now();
  }

  sleep(milliseconds: number): Promise<void> {
    this.of.advance(milliseconds);
    this.pause(milliseconds);
    return Promise.resolve();
  }
}
