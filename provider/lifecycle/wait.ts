import type { Clock } from "./clock";
import { pauseAfter, type Known } from "./pause";

/** What a judge makes of one answer: finished, failed for good, or to be asked again. */
export type Verdict<T> =
  | { readonly state: "done"; readonly result: T }
  | { readonly state: "failed"; readonly error: Error }
  | { readonly state: "pending"; readonly status: string };

/** A wait for something that the platform does in its own time. */
export interface Wait<Seen, T> {
  /** Asks once, until the given time at the latest. Its errors end the wait. */
  readonly probe: (until: number) => Promise<Seen>;
  /** Pure: what the answer means. Knows nothing of time. */
  readonly judge: (seen: Seen) => Verdict<T>;
  /** Milliseconds from now until the wait is given up. */
  readonly limitMs: number;
  readonly clock: Clock;
  /** A number in [0, 1), to spread the polls of many waits. */
  readonly random: () => number;
  /** What an answer that is pending tells of how long it may take. @default the time waited as its age */
  readonly known?: (seen: Seen, waitedMs: number) => Known;
  /** Told of every pending answer: the status and the milliseconds waited. */
  readonly onPending?: (status: string, waitedMs: number) => void;
  /** The error of a wait that ran out of time: names the object, the last status and the next step (promise 7). */
  readonly timedOut: (status: string, waitedMs: number) => Error;
}

/** Polls until the judge has decided or the time is up. The only loop of the provider that sleeps. */
export async function waitFor<Seen, T>(wait: Wait<Seen, T>): Promise<T> {
  const { clock } = wait;
  const start = clock.now();
  for (;;) {
    const seen = await wait.probe(start + wait.limitMs);
    const verdict = wait.judge(seen);
    if (verdict.state === "done") return verdict.result;
    if (verdict.state === "failed") throw verdict.error;
    const waited = clock.now() - start;
    if (waited >= wait.limitMs) throw wait.timedOut(verdict.status, waited);
    wait.onPending?.(verdict.status, waited);
    const pause = pauseAfter(wait.known?.(seen, waited) ?? { ageMs: waited }, wait.random());
    await clock.sleep(Math.min(pause, wait.limitMs - waited));
  }
}

/** 95000 -> "1m35s"; for people. */
export function showDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h > 0) return m > 0 ? `${h}h${m}m` : `${h}h`;
  if (m > 0) return s > 0 ? `${m}m${s}s` : `${m}m`;
  return `${s}s`;
}
