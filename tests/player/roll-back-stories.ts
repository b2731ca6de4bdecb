import type { Outcome } from "./checked-agent";
import type { Other } from "./roll-back-program";

/** The command after the first one. */
export const NEXT = [
  "up",
  "up --refresh",
  "another image",
  "another trigger",
  "another expectation",
  "up without the check",
] as const;
export type Next = (typeof NEXT)[number];

export interface Story {
  readonly name: string;
  /** Of each check of the program. */
  readonly checks: readonly Outcome[];
  /** What somebody else does, at any moment. */
  readonly other: Other | undefined;
  /** The run may be killed, at any moment. */
  readonly mayBeKilled: boolean;
  readonly next: Next;
}

const OUTCOMES: readonly Outcome[] = ["passes", "fails", "cannot be asked"];
const OTHERS: readonly Other[] = ["push", "push serves", "redeploy serves"];

/** All stories of up to two revisions, two checks, one act of somebody else, one cut-off and one more command. */
export function allStories(): readonly Story[] {
  const found: Omit<Story, "name">[] = [];
  for (const next of NEXT) {
    for (const outcome of OUTCOMES) {
      const checks = [outcome];
      for (const other of [undefined, ...OTHERS]) found.push({ checks, next, other, mayBeKilled: true });
    }
  }
  const two = { next: "up", other: undefined } as const;
  for (const second of OUTCOMES) found.push({ ...two, checks: ["fails", second], mayBeKilled: false });
  found.push({ ...two, checks: ["fails", "fails"], mayBeKilled: true });
  return found.map((story) => ({ ...story, name: nameOf(story) }));
}

function nameOf({ checks, other, mayBeKilled, next }: Omit<Story, "name">): string {
  const parts = [checks.join(" and "), other, mayBeKilled ? "a kill" : undefined, `then ${next}`];
  return `going back: ${parts.filter((each) => each !== undefined).join(", ")}`;
}
