/** The emulator's only source of time. `now` is in milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** The machine's clock. */
export const realClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is told to move, so that tests of time need no sleep. */
export class ManualClock implements Clock {
  private time: number;

  constructor(start = Date.UTC(2030, 0, 1)) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  /** Moves the time on by `ms` milliseconds. */
  advance(ms: number): void {
    this.time += ms;
  }
}

/** A time as the platform writes it: ISO 8601, UTC. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
