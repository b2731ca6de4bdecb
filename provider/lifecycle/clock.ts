import { setTimeout as sleepFor } from "node:timers/promises";

/** Time, injected: tests advance it by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds. */
  sleep(milliseconds: number): Promise<void>;
}

/** A timer beyond this fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds) => {
    await sleepFor(milliseconds);
  },
};
