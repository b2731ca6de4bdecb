import { RequestLimit, RequestLimits } from "../../../provider/http/limiter";
import type { Ended } from "../../../provider/http/sliding-window";
import type { Clock } from "../../../provider/base/clock";

/** Called before each request to the platform: it may hold it, or end the process. What it resolves to is called once the request is over. */
export type Gate = () => Promise<() => void>;

class GatedLimit extends RequestLimit {
  constructor(
    private readonly gate: Gate,
    clock: Clock,
  ) {
    super(100_000, 1_000, clock);
  }

  override async admit(turn: Parameters<RequestLimit["admit"]>[0]) {
    const over = await this.gate();
    const ended = await super.admit(turn);
    return (...given: Parameters<Ended>) => {
      ended?.(...given);
      over();
    };
  }
}

/** The limits of a process whose requests to the platform pass a gate. */
export class GatedLimits extends RequestLimits {
  private readonly limit: RequestLimit;

  constructor(gate: Gate, clock: Clock) {
    super(clock);
    this.limit = new GatedLimit(gate, clock);
  }

  override of(): RequestLimit {
    return this.limit;
  }
}

/** One after the other. */
export class Lock {
  private last: Promise<void> = Promise.resolve();

  /** Resolves when it is free; to what frees it again. */
  async take(): Promise<() => void> {
    const before = this.last;
    let free = (): void => undefined;
    this.last = new Promise((resolve) => (free = resolve));
    await before;
    return free;
  }
}

/** So many requests of one of two, then of the other. */
interface Phase {
  readonly who: number;
  left: number;
}

/**
 * Lets two actors pass one at a time: so many requests of the first, so many of the second, the rest of the first, the rest of the second. Reads commute, and each
 * of the two changes something once, so that these are all orders that either can tell apart.
 */
export class Turns {
  private readonly phases: Phase[];
  private readonly over = new Set<number>();
  private wake: (() => void)[] = [];

  constructor([first, second]: readonly [number, number]) {
    this.phases = [
      { who: 0, left: first },
      { who: 1, left: second },
      { who: 0, left: Infinity },
      { who: 1, left: Infinity },
    ];
  }

  async pass(who: number): Promise<void> {
    for (;;) {
      const phase = this.phase();
      if (phase === undefined || phase.who === who) {
        if (phase !== undefined) phase.left -= 1;
        return;
      }
      await new Promise<void>((resolve) => this.wake.push(resolve));
    }
  }

  end(who: number): void {
    this.over.add(who);
    this.next();
  }

  private phase(): Phase | undefined {
    while (this.phases[0] !== undefined && (this.phases[0].left <= 0 || this.over.has(this.phases[0].who))) {
      this.phases.shift();
      this.next();
    }
    return this.phases[0];
  }

  private next(): void {
    const waiting = this.wake;
    this.wake = [];
    for (const each of waiting) each();
  }
}
