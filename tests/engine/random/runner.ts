import { Coverage } from "./coverage";
import type { EngineHome } from "./engine-stack";
import { Broken, Play } from "./play";
import { settle } from "./settle";
import { shrunk } from "./shrinking";
import { programOf } from "./author";
import { FRONT } from "../../support/cli-stack";
import type { Program, Step } from "./steps";
import { MOMENTS, upgrade, wasAskedBy, type Moment } from "./upgrade";

/** The harm that each invariant guards against; the rest is "otherwiseBroken". */
const KINDS: Readonly<Record<string, "lost" | "doubled" | "orphaned" | "falselyGreen">> = {
  nothingMissing: "lost",
  allDeclared: "lost",
  eachOnce: "doubled",
  nothingLost: "orphaned",
  emptyInTheEnd: "orphaned",
  neverFalselyGreen: "falselyGreen",
};

/** The number of programs that did each harm. */
export function brokenBy(failures: readonly Failure[]) {
  const counts = { lost: 0, doubled: 0, orphaned: 0, falselyGreen: 0, otherwiseBroken: 0 };
  for (const { invariant } of failures) counts[KINDS[invariant] ?? "otherwiseBroken"]++;
  return counts;
}

/** A program that broke an invariant. */
export interface Failure {
  readonly seed: number;
  readonly invariant: string;
  readonly found: readonly string[];
  readonly story: string;
}

/** The counts over all programs. */
export interface Counts {
  programs: number;
  commands: number;
  failedCommands: number;
  faultsFired: number;
}

interface Played {
  readonly failure: Omit<Failure, "seed"> | undefined;
  readonly story: string;
  readonly play: Pick<Play, "commands" | "failedCommands" | "faultsFired">;
  /** What its upgrade came after; empty where there was none. */
  readonly moments: readonly Moment[];
}

const FIRST: Step = {
  edits: [],
  manualChanges: [],
  outcome: undefined,
  faults: [],
  outage: undefined,
  command: { name: "up", slot: "t1" },
};

/** Plays a program from its first `up` to its `destroy`, or to the first invariant that does not hold. */
export async function playProgram(home: EngineHome, program: Program, coverage: Coverage): Promise<Played> {
  const play = await Play.begin(home, program, coverage);
  let failure: Played["failure"];
  let moments: Played["moments"] = [];
  try {
    await play.step(FIRST, "Step 0");
    for (const [index, step] of program.steps.entries()) {
      if (step.upgrades) moments = await upgrade(play);
      await play.step(step, `Step ${index + 1}`);
    }
    await settle(play, program.refreshesInTheEnd);
    wasAskedBy(play);
  } catch (error) {
    const broken = error instanceof Broken ? error : undefined;
    const found = broken?.found ?? [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    failure = { invariant: broken?.invariant ?? "theRunnerWorks", found, story: play.story.text };
  } finally {
    await play.end();
  }
  return { failure, story: play.story.text, play, moments };
}

/** The options of a run of many programs. */
export interface Options {
  readonly seeds: readonly number[];
  /** Most steps of a program after its first `up`. */
  readonly steps: number;
  readonly parallel: number;
  /** The version of the package that each program begins with. @default that of this checkout, which has no upgrade */
  readonly from?: (seed: number) => string;
  /** How many programs are played to simplify a failing one; the first failure of each invariant is simplified. */
  readonly tries: number;
  readonly tell: (line: string) => void;
  /** Takes the story of each program. */
  readonly keep: (seed: number, story: string) => void;
}

const programAt = (seed: number, { steps, from }: Options): Program => programOf(seed, steps, FRONT, from?.(seed));

/** Plays the programs of these seeds, and collects the failures. */
export async function playMany(home: EngineHome, options: Options) {
  const coverage = new Coverage();
  const counts: Counts = { programs: 0, commands: 0, failedCommands: 0, faultsFired: 0 };
  const moments = Object.fromEntries(MOMENTS.map((moment) => [moment, 0]));
  const failures: Failure[] = [];
  const waiting = [...options.seeds];
  const work = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const began = Date.now();
      const { failure, story, play, moments: passed } = await playProgram(home, programAt(seed, options), coverage);
      options.keep(
        seed,
        failure === undefined ? story : `${story}\nBROKEN: ${failure.invariant}\n${failure.found.join("\n")}`,
      );
      counts.programs++;
      counts.commands += play.commands;
      counts.failedCommands += play.failedCommands;
      counts.faultsFired += play.faultsFired;
      for (const moment of passed) moments[moment] = (moments[moment] ?? 0) + 1;
      if (failure !== undefined) failures.push({ seed, ...failure });
      const how =
        failure === undefined ? "holds" : `BROKEN: ${failure.invariant}: ${failure.found[0]?.slice(0, 300) ?? ""}`;
      options.tell(
        `${counts.programs}/${options.seeds.length} seed ${seed}, ${play.commands} commands, ${Date.now() - began} ms: ${how}`,
      );
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, work));
  return { coverage, counts, moments, failures: await simplified(home, failures, options) };
}

/** The first failure of each invariant, simplified. */
async function simplified(home: EngineHome, failures: readonly Failure[], options: Options): Promise<Failure[]> {
  const seen = new Set<string>();
  const all: Failure[] = [];
  for (const failure of failures) {
    if (seen.has(failure.invariant) || options.tries === 0) {
      all.push(failure);
      continue;
    }
    seen.add(failure.invariant);
    let best: Failure = failure;
    await shrunk(
      programAt(failure.seed, options),
      async (candidate) => {
        const { failure: again } = await playProgram(home, candidate, new Coverage());
        if (again?.invariant !== failure.invariant) return false;
        best = { seed: failure.seed, ...again };
        return true;
      },
      options.tries,
    );
    options.tell(`simplified the program of seed ${failure.seed} (${failure.invariant})`);
    all.push(best);
  }
  return all;
}
