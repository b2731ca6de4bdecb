import type { Clock } from "../base/clock";
import { AgentPlatformError } from "../base/errors";

/** Together the waits send this many requests at once, and then one each {@link INTERVAL_MS}: at most 50 in 10 s. */
const BURST = 10;
const INTERVAL_MS = 250;

/** One look of a wait: which object, and when. */
export interface Look {
  readonly id: string;
  /** Milliseconds until it is due. From half of them on, it goes with a request for others. */
  readonly pauseMs: number;
  /** Milliseconds until the object is to be asked for alone, because the shared answer does not say everything about it. */
  readonly aloneInMs: number;
  /** When the wait ends: its last look is not held back. */
  readonly until: number;
  /** Ends the look at once. */
  readonly signal?: AbortSignal | undefined;
}

interface Pending<News> {
  readonly id: string;
  readonly readyAt: number;
  readonly dueAt: number;
  readonly aloneAt: number;
  readonly until: number;
  readonly settle: (news: Promise<News> | undefined) => void;
}

/**
 * Gathers the looks of many waits into requests for many objects. When a look is due, those that are nearly due go with it; one that would go
 * by itself is left to the wait. Requests for many and looks at one take turns, so that neither starves.
 */
export class SharedLooks<News> {
  private pending: Pending<News>[] = [];
  private readonly pace = new Pace();
  private wasShared = false;
  private isRunning = false;
  private wakesAt = Infinity;
  private wake: () => void = () => undefined;

  /**
   * @param most The most objects of one request.
   * @param ask Sends a request for these objects, until the given time at the latest. Its answer is given each id's part by `of`.
   */
  constructor(
    private readonly clock: Clock,
    private readonly most: number,
    private readonly ask: (ids: readonly string[], until: number) => Promise<{ of: (id: string) => News }>,
  ) {}

  /** The news of an object when its look is due, or earlier; undefined where the wait is to ask for it alone, now. Rejects as the request did. */
  next({ id, pauseMs, aloneInMs, until, signal }: Look): Promise<News | undefined> {
    return new Promise((resolve, reject) => {
      const now = this.clock.now();
      const cancel = () => {
        this.drop([pending]);
        this.wake();
        reject(new AgentPlatformError("the look was cancelled"));
      };
      const settle = (news: Promise<News> | undefined) => {
        signal?.removeEventListener("abort", cancel);
        if (news === undefined) resolve(undefined);
        else news.then(resolve, reject);
      };
      const times = { readyAt: now + pauseMs / 2, dueAt: now + pauseMs, aloneAt: now + aloneInMs };
      const pending = { id, ...times, until, settle };
      this.pending.push(pending);
      signal?.addEventListener("abort", cancel);
      if (signal?.aborted === true) cancel();
      else if (nextOf(pending) < this.wakesAt) this.wake();
      void this.run();
    });
  }

  /** Leaves all looks that are under way to their waits. */
  release(): void {
    this.leave(this.pending);
    this.wake();
  }

  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    for (;;) {
      this.serve();
      if (this.pending.length === 0) break;
      await this.sleep();
    }
    this.isRunning = false;
  }

  /** Until something is due and may be sent, or a look that is due earlier comes. */
  private async sleep(): Promise<void> {
    const now = this.clock.now();
    const dueAt = Math.max(this.pace.opensAt, Math.min(...this.pending.map(nextOf)));
    this.wakesAt = Math.min(dueAt, ...this.pending.map(({ until }) => until));
    const awake = new AbortController();
    const woken = new Promise<void>((resolve) => (this.wake = resolve));
    await Promise.race([this.clock.sleep(this.wakesAt - now, awake.signal), woken]);
    awake.abort();
    this.wakesAt = Infinity;
    this.wake = () => undefined;
  }

  private serve(): void {
    const now = this.clock.now();
    this.leave(this.pending.filter(({ until }) => until <= now));
    while (this.pace.opensAt <= now) {
      const due = this.pending.some(({ dueAt }) => dueAt <= now);
      const alone = earliest(this.pending.filter(({ aloneAt }) => aloneAt <= now));
      if (alone !== undefined && (this.wasShared || !due)) this.leave([alone]);
      else if (due) this.share(now);
      else return;
      this.pace.take(now);
    }
  }

  private share(now: number): void {
    const ready = this.pending.filter(({ readyAt }) => readyAt <= now).sort((one, other) => one.dueAt - other.dueAt);
    const ids = new Set(ready.map(({ id }) => id).slice(0, this.most));
    const asked = ready.filter(({ id }) => ids.has(id));
    if (ids.size === 1) {
      this.leave(asked);
      return;
    }
    this.drop(asked);
    this.wasShared = true;
    const answer = this.ask([...ids], Math.min(...asked.map(({ until }) => until)));
    for (const { id, settle } of asked) settle(answer.then((news) => news.of(id)));
  }

  private leave(pending: readonly Pending<News>[]): void {
    if (pending.length === 0) return;
    this.drop(pending);
    this.wasShared = false;
    for (const { settle } of pending) settle(undefined);
  }

  private drop(pending: readonly Pending<News>[]): void {
    const dropped = new Set(pending);
    this.pending = this.pending.filter((each) => !dropped.has(each));
  }
}

const nextOf = ({ dueAt, aloneAt }: Pending<never>): number => Math.min(dueAt, aloneAt);

function earliest<Each extends { readonly aloneAt: number }>(all: readonly Each[]): Each | undefined {
  return all.reduce<Each | undefined>(
    (first, each) => (first && first.aloneAt <= each.aloneAt ? first : each),
    undefined,
  );
}

/** A burst, then one at a time. */
class Pace {
  private free = -Infinity;

  /** When the next one may be sent. */
  get opensAt(): number {
    return this.free - (BURST - 1) * INTERVAL_MS;
  }

  take(now: number): void {
    this.free = Math.max(this.free, now) + INTERVAL_MS;
  }
}
