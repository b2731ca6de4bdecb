import type { Clock } from "../base/clock";
import { AgentPlatformError } from "../base/errors";

/** After a pause the waits may send this many requests at once, then one every {@link INTERVAL_MS}: at most 50 in 10 s. */
const BURST = 10;
const INTERVAL_MS = 250;

/** One look of a wait at its object: when it is due, and what ends it. */
export interface Look<News> {
  readonly id: string;
  /** Milliseconds until it is due. After half of them, it may already go with a request for others. */
  readonly pauseMs: number;
  /** The next such pause, after an answer with nothing new. */
  readonly nextPauseMs: () => number;
  /** Whether an answer ends the look; it must not throw. Waking a thousand waits for nothing would make a lot of garbage. */
  readonly isNew: (news: News) => boolean;
  /** Milliseconds until the object has to be polled alone, because the shared answer does not tell everything about it. */
  readonly aloneInMs: number;
  /** When the wait ends. Its last look is not held back. */
  readonly until: number;
  /** Ends the look at once. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer of a shared request, by object; undefined if the object has to be polled alone. */
export type Answers<News> = (id: string) => News | undefined;

/**
 * Gathers the looks of many waits into shared requests. When a look is due, those that are nearly due go with it. If there are none, the wait
 * polls its object alone. Shared requests and single polls take turns, so that neither starves.
 */
export class SharedLooks<News> {
  private resting: Rest<News>[] = [];
  private readonly pace = new Pace();
  private wasShared = false;
  private isRunning = false;
  private wakesAt = Infinity;
  private wake: () => void = () => undefined;

  /**
   * @param most The most objects of one request.
   * @param ask Sends a request for these objects, until the given time at the latest.
   */
  constructor(
    private readonly clock: Clock,
    private readonly most: number,
    private readonly ask: (ids: readonly string[], until: number) => Promise<Answers<News>>,
  ) {}

  /** Resolves with news of the object; with undefined if the wait is to poll it alone, now. Rejects if the shared request fails. */
  next(look: Look<News>): Promise<News | undefined> {
    return new Promise((resolve, reject) => {
      const { signal } = look;
      if (signal?.aborted === true) {
        reject(cancelled());
        return;
      }
      const rest = new Rest(look, this.clock.now(), resolve, reject);
      rest.onCancel(() => {
        this.drop([rest]);
        this.wake();
        rest.fail(cancelled());
      });
      this.add(rest);
    });
  }

  /** Lets every wait poll its object alone, now. */
  release(): void {
    this.leave(this.resting);
    this.wake();
  }

  private add(rest: Rest<News>): void {
    this.resting.push(rest);
    if (rest.nextAt < this.wakesAt) this.wake();
    void this.run();
  }

  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    for (;;) {
      this.serve();
      if (this.resting.length === 0) break;
      await this.sleep();
    }
    this.isRunning = false;
  }

  /** Sleeps until something is due and may be sent, or a look is added that is due earlier. */
  private async sleep(): Promise<void> {
    let [nextAt, until] = [Infinity, Infinity];
    for (const rest of this.resting) {
      nextAt = Math.min(nextAt, rest.nextAt);
      until = Math.min(until, rest.look.until);
    }
    this.wakesAt = Math.min(until, Math.max(this.pace.opensAt, nextAt));
    const awake = new AbortController();
    const woken = new Promise<void>((resolve) => (this.wake = resolve));
    await Promise.race([this.clock.sleep(this.wakesAt - this.clock.now(), awake.signal), woken]);
    awake.abort();
    this.wakesAt = Infinity;
    this.wake = () => undefined;
  }

  private serve(): void {
    const now = this.clock.now();
    this.leave(this.resting.filter(({ look }) => look.until <= now));
    while (this.pace.opensAt <= now) {
      const isDue = this.resting.some(({ dueAt }) => dueAt <= now);
      const alone = earliest(this.resting.filter(({ aloneAt }) => aloneAt <= now));
      if (alone !== undefined && (this.wasShared || !isDue)) this.leave([alone]);
      else if (isDue) this.share(now);
      else return;
      this.pace.take(now);
    }
  }

  private share(now: number): void {
    const ready = this.resting.filter(({ readyAt }) => readyAt <= now).sort((one, other) => one.dueAt - other.dueAt);
    const ids = new Set(ready.map(({ look }) => look.id).slice(0, this.most));
    const asked = ready.filter(({ look }) => ids.has(look.id));
    if (ids.size === 1) {
      this.leave(asked);
      return;
    }
    this.drop(asked);
    this.wasShared = true;
    const answers = this.ask([...ids], Math.min(...asked.map(({ look }) => look.until)));
    answers.then(
      (of) => asked.forEach((rest) => this.tell(rest, of(rest.look.id))),
      (error: unknown) => asked.forEach((rest) => rest.fail(error)),
    );
  }

  private tell(rest: Rest<News>, news: News | undefined): void {
    if (rest.isOver) return;
    if (news === undefined || rest.look.isNew(news)) {
      rest.settle(news);
      return;
    }
    rest.begin(this.clock.now(), rest.look.nextPauseMs());
    this.add(rest);
  }

  private leave(resting: readonly Rest<News>[]): void {
    if (resting.length === 0) return;
    this.drop(resting);
    this.wasShared = false;
    for (const rest of resting) rest.settle(undefined);
  }

  private drop(resting: readonly Rest<News>[]): void {
    const dropped = new Set(resting);
    this.resting = this.resting.filter((rest) => !dropped.has(rest));
  }
}

const cancelled = (): AgentPlatformError => new AgentPlatformError("the poll was cancelled");

/** A look that is not over. */
class Rest<News> {
  isOver = false;
  readyAt = 0;
  dueAt = 0;
  readonly aloneAt: number;
  private cancel: (() => void) | undefined;

  constructor(
    readonly look: Look<News>,
    now: number,
    private readonly resolve: (news: News | undefined) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.aloneAt = now + look.aloneInMs;
    this.begin(now, look.pauseMs);
  }

  begin(now: number, pauseMs: number): void {
    this.readyAt = now + pauseMs / 2;
    this.dueAt = now + pauseMs;
  }

  get nextAt(): number {
    return Math.min(this.dueAt, this.aloneAt);
  }

  onCancel(cancel: () => void): void {
    if (this.look.signal === undefined) return;
    this.cancel = cancel;
    this.look.signal.addEventListener("abort", cancel);
  }

  settle(news: News | undefined): void {
    this.end();
    this.resolve(news);
  }

  fail(error: unknown): void {
    this.end();
    this.reject(error);
  }

  private end(): void {
    this.isOver = true;
    if (this.cancel !== undefined) this.look.signal?.removeEventListener("abort", this.cancel);
  }
}

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
