import { depends, sameChoice, type Choice } from "./schedule";

/** How one run of a story ended: with what is wrong, or given up, since an equal one has been played. */
export type Ended = { readonly problems: readonly string[]; readonly said: string } | "given up";

/** Plays a story once. @param choose Picks one of what is possible, the first of which is what goes on without a change of actor; undefined gives the run up. */
export type Play = (choose: (possible: readonly Choice[]) => Choice | undefined) => Promise<Ended>;

export interface Explored {
  /** Schedules that differ from each other in something that an actor can tell. */
  readonly schedules: number;
  readonly isComplete: boolean;
  readonly failure?: Failure;
}

export interface Failure {
  /** Which of the possible choices was taken, step by step: with it {@link replay} plays it again. */
  readonly seed: readonly number[];
  readonly problems: readonly string[];
  /** The schedule, as a person reads it. */
  readonly said: string;
}

/** A point at which several choices were possible. */
interface Node {
  readonly possible: readonly Choice[];
  /** Those that an earlier run has covered: whatever they lead to from here was played. */
  readonly asleep: readonly Choice[];
  readonly toTry: readonly Choice[];
  at: number;
}

/**
 * Plays all schedules of a story, up to `most`, and stops at the first that breaks a promise. Depth first, with sleep sets: of schedules that differ only in the
 * order of choices that do not depend on each other, one is played.
 */
export async function explore(play: Play, most: number): Promise<Explored> {
  const path: Node[] = [];
  let schedules = 0;
  for (;;) {
    let depth = 0;
    const ended = await play((possible) => {
      const node = path[depth] ?? enter(path[depth - 1], possible);
      if (node === undefined) return undefined;
      path[depth] = node;
      depth += 1;
      const choice = node.toTry[node.at];
      const found = possible.find((each) => choice !== undefined && sameChoice(each, choice));
      if (found === undefined) throw new Error(`the story is not the same when it is played again: ${said(possible)}`);
      return found;
    });
    if (ended !== "given up") {
      schedules += 1;
      if (ended.problems.length > 0) {
        const seed = path.map(({ possible, toTry, at }) => possible.findIndex((each) => each === toTry[at]));
        return { schedules, isComplete: false, failure: await shrink(play, { seed, ...ended }) };
      }
    }
    let last = path.at(-1);
    for (; last !== undefined && !hasNext(last); last = path.at(-1)) path.pop();
    if (last === undefined) return { schedules, isComplete: true };
    if (schedules >= most) return { schedules, isComplete: false };
    last.at += 1;
  }
}

/** Plays one schedule; where the seed ends, the first choice is taken. */
export const replay = (play: Play, seed: readonly number[]): Promise<Ended> => {
  let depth = 0;
  return play((possible) => possible[seed[depth++] ?? 0] ?? possible[0]);
};

const hasNext = ({ at, toTry }: Node): boolean => at + 1 < toTry.length;

function enter(before: Node | undefined, possible: readonly Choice[]): Node | undefined {
  const asleep = before === undefined ? [] : asleepAfter(before);
  const toTry = possible.filter((each) => !asleep.some((other) => sameChoice(each, other)));
  return toTry.length === 0 ? undefined : { possible, asleep, toTry, at: 0 };
}

function asleepAfter({ asleep, toTry, at }: Node): readonly Choice[] {
  const taken = toTry[at];
  if (taken === undefined) return [];
  return [...asleep, ...toTry.slice(0, at)].filter((each) => !depends(each, taken));
}

/** Fewer changes of actor, and fewer faults, as long as a promise is broken. */
async function shrink(play: Play, failure: Failure): Promise<Failure> {
  let best = failure;
  for (let at = failure.seed.length - 1; at >= 0; at--) {
    if ((best.seed[at] ?? 0) === 0) continue;
    const simpler = best.seed.map((each, index) => (index === at ? 0 : each));
    for (const seed of [simpler.slice(0, at), simpler]) {
      const ended = await replay(play, seed);
      if (ended === "given up" || ended.problems.length === 0) continue;
      best = { seed, ...ended };
      break;
    }
  }
  const used = best.seed.findLastIndex((each) => each > 0);
  return { ...best, seed: best.seed.slice(0, used + 1) };
}

const said = (possible: readonly Choice[]): string =>
  possible.map(({ step, way }) => `${step.who} ${step.name} (${way})`).join(", ");
