import { setImmediate as settle } from "node:timers/promises";
import type { Clock } from "../../provider/base/clock";

/** A clock for many sleeps at once: time moves on to the end of the next one when nothing else is left to do. Real time does not count. */
export class EventClock implements Clock {
  private sleeping: { readonly at: number; readonly wake: () => void }[] = [];

  constructor(private time = Date.UTC(2030, 0, 1)) {}

  now(): number {
    return this.time;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake) => {
      const sleeper = { at: this.time + milliseconds, wake };
      this.sleeping.push(sleeper);
      signal?.addEventListener("abort", () => {
        this.sleeping = this.sleeping.filter((each) => each !== sleeper);
        wake();
      });
    });
  }

  /** Lets time pass until the work is done. */
  async until<T>(work: Promise<T>): Promise<T> {
    const ended = new AbortController();
    const end = () => ended.abort();
    work.then(end, end);
    await settle();
    while (!ended.signal.aborted) {
      this.wakeNext();
      await settle();
    }
    return work;
  }

  private wakeNext(): void {
    if (this.sleeping.length === 0) return;
    this.time = Math.min(...this.sleeping.map(({ at }) => at));
    const due = this.sleeping.filter(({ at }) => at <= this.time);
    this.sleeping = this.sleeping.filter(({ at }) => at > this.time);
    for (const { wake } of due) wake();
  }
}
