/** The emulator's only source of time. `now` is in milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Calls `then` once, `ms` milliseconds from now, the machine's clock after 24 days at the latest. Returns a function that cancels the call. */
  after(ms: number, then: () => void): () => void;
}

/** A timer of Node that is to take longer ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. */
export const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

interface Alarm {
  readonly at: number;
  readonly then: () => void;
}

/**
 * A clock that stands still until `advance` moves it, so that tests of time need no sleep.
 *
 * @example
 * import { ManualClock, startEmulator } from "pulumi-agent-platform/emulator";
 *
 * const clock = new ManualClock();
 * const emulator = await startEmulator({ buildSeconds: 60, clock });
 * clock.advance(60_000); // what was being built is DEPLOYED now
 * await emulator.close();
 */
export class ManualClock implements Clock {
  private time: number;
  private readonly alarms = new Set<Alarm>();

  constructor(start = Date.UTC(2030, 0, 1)) {
    this.time = start;
  }

  /** How many calls of `after` are pending. */
  get waiting(): number {
    return this.alarms.size;
  }

  now(): number {
    return this.time;
  }

  after(ms: number, then: () => void): () => void {
    const alarm = { at: this.time + ms, then };
    this.alarms.add(alarm);
    return () => void this.alarms.delete(alarm);
  }

  /** Moves the time on by `ms` milliseconds, stopping at whatever is due on the way, earliest first. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const [next] = [...this.alarms].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.alarms.delete(next);
      this.time = Math.max(this.time, next.at);
      next.then();
    }
    this.time = end;
  }
}

/** A time as the platform writes it: ISO 8601, UTC. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
