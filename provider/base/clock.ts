import { setTimeout as sleepFor } from "node:timers/promises";

/** Time, injected: tests advance it by hand. */
export interface Clock {
  /** Milliseconds since the epoch, close enough to compare with a date; never set back, so that a difference is a duration. */
  now(): number;
  /** Resolves after this many milliseconds, or as soon as the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** A timer longer than this fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const realClock: Clock = {
  // Not Date.now(): a wall clock that is set back by an hour would make every pause an hour longer.
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (milliseconds, signal) => {
    try {
      await sleepFor(milliseconds, undefined, { signal });
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  },
};
