import type { Next, Other, Outcome, Story } from "./world";

const OUTCOMES: readonly Outcome[] = ["passes", "fails", "cannot be asked"];
const OTHERS: readonly Other[] = ["push", "push serves", "redeploy serves"];
const NEXT: readonly Next[] = ["up", "up --refresh", "another image", "another trigger"];

/** How many requests the runs of a kind send, at the most. */
export interface Lengths {
  /** Of `up` until both checks begin. */
  readonly before: number;
  /** Of `up` with one check. */
  readonly one: number;
  /** Of a check that fails, from its first request to its last. */
  readonly check: number;
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

/** All stories of up to two revisions, two checks, one act of somebody else, one cut-off and one more command. */
export function* stories({ before, one, check }: Lengths): Generator<Story> {
  for (const next of NEXT) {
    for (const outcome of OUTCOMES) {
      const checks = [outcome];
      yield { checks, next };
      for (const at of upTo(one)) for (const what of OTHERS) yield { checks, next, other: { what, at } };
      for (const cutAt of upTo(one + 1)) yield { checks, next, cutAt };
    }
  }
  // Somebody acts at any moment before a run that fails is killed at any later one.
  for (const next of NEXT.slice(0, 2)) {
    for (const cutAt of upTo(one + 1))
      for (const at of upTo(cutAt - 1))
        for (const what of OTHERS) yield { checks: ["fails"], next, cutAt, other: { what, at } };
  }
  for (const first of upTo(check)) {
    for (const then of [0, ...upTo(check)]) {
      const turns: [number, number] = [first, then];
      for (const second of OUTCOMES) yield { checks: ["fails", second], next: "up", turns };
      yield { checks: ["fails", "fails"], next: "up", turns, cutAt: before + first + then + 1 };
    }
  }
}
