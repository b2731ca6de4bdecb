import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { record, RECORDS } from "../../reliability/record";
import { FRONT } from "../../support/cli-stack";
import { wordsIn, type Story } from "./drawing";
import { Stage } from "./made-states";
import { KEYS, Platform } from "./platform";
import { Broken, Play, TAKE_OVER, type Step } from "./play";
import { settle } from "./settling";
import { EngineHome } from "./stack";
import { takeOver, wasAskedBy, type Moment } from "./upgrading";

/** A story that broke a promise. */
export interface Failure {
  readonly story: Story;
  readonly promise: string;
  readonly found: readonly string[];
  readonly told: string;
}
interface Played {
  readonly failure?: Failure;
  readonly play: Play;
  readonly moments: readonly Moment[];
}

/** Where stories are played: the states that are made have a stack that stays. */
interface Ground {
  readonly home: EngineHome;
  stage?: Stage;
}

async function begin(ground: Ground, story: Story): Promise<Play> {
  if (story.made !== undefined) {
    const stage = (ground.stage ??= await Stage.open(ground.home));
    const play = new Play(ground.home, stage.stack, stage.platform);
    await stage.set(play, story.made);
    for (const kind of Object.values(story.made)) play.count(kind);
    play.tell(Object.entries(story.made).map(([handle, kind]) => `${handle}: ${kind}`).join("\n")); // prettier-ignore
    return play;
  }
  const platform = await Platform.start(story.quirks);
  const play = new Play(ground.home, ground.home.stack(), platform);
  for (const quirk of story.quirks) play.count(quirk);
  if (story.from !== undefined) {
    play.stack.install(story.from);
    play.version = story.from;
  }
  play.stack.connect(platform.url, KEYS.first, platform.settings);
  play.tell(`Version ${play.version}. ${story.quirks.length > 0 ? `The platform ${story.quirks.join(", ")}.` : ""}`);
  return play;
}

/** Plays a story to its end, or to the first promise that does not hold. */
async function playStory(ground: Ground, story: Story): Promise<Played> {
  const play = await begin(ground, story);
  const moments: Moment[] = [];
  try {
    for (const step of story.steps) {
      if (step[0] === TAKE_OVER) moments.push(...(await takeOver(play)));
      else await play.step(step);
    }
    await settle(play, story.refreshes);
    if (story.made === undefined) wasAskedBy(play);
    return { play, moments };
  } catch (error) {
    const broken = error instanceof Broken ? error : undefined;
    const found = broken?.found ?? [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    return { play, moments, failure: { story, promise: broken?.promise ?? "thePlayerWorks", found, told: play.story } };
  } finally {
    if (story.made === undefined) {
      play.stack.remove();
      await play.platform.close();
    }
  }
}

const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, at) => at !== index);
/** Every story that is one thing simpler; the greatest simplifications first. */
export function simpler(story: Story): Story[] {
  const { steps, quirks, made } = story;
  const half = Math.ceil(steps.length / 2);
  const shorter = [steps.slice(0, half), steps.slice(half), ...steps.map((_, index) => without(steps, index))];
  return [
    ...shorter
      .filter((each) => each.length > 0 && each.length < steps.length)
      .map((each) => ({ ...story, steps: each })),
    ...quirks.map((_, index) => ({ ...story, quirks: without(quirks, index) })),
    ...Object.keys(made ?? {}).map((handle) => ({
      ...story,
      made: Object.fromEntries(Object.entries(made ?? {}).filter(([name]) => name !== handle)),
    })),
    ...(story.refreshes ? [{ ...story, refreshes: false }] : []),
  ];
}

/** The simplest story found that still fails in the same way. Each try is played on the engine, so there are at most `tries`. */
export async function shrunk(story: Story, fails: (story: Story) => Promise<boolean>, tries: number): Promise<Story> {
  let [best, left] = [story, tries];
  for (let candidates = simpler(best); candidates.length > 0 && left > 0; left--) {
    const [candidate = best, ...others] = candidates;
    const isBetter = await fails(candidate);
    if (isBetter) best = candidate;
    candidates = isBetter ? simpler(candidate) : others;
  }
  return best;
}

/** The steps as an explicit list has them. */
const listed = (steps: readonly Step[]): string => steps.map((step) => `  ${JSON.stringify(step)},`).join("\n");

export interface Options {
  /** Under which the counts are recorded, and the folder of the stories. */
  readonly name: string;
  readonly stories: readonly Story[];
  readonly parallel: number;
  readonly tries: number;
}

/** The harm that each promise guards against; the rest is "otherwiseBroken". */
const HARMS: Readonly<Record<string, "lost" | "doubled" | "orphaned" | "falselyGreen">> = {
  nothingMissing: "lost",
  allDeclared: "lost",
  eachOnce: "doubled",
  nothingLost: "orphaned",
  emptyInTheEnd: "orphaned",
  neverFalselyGreen: "falselyGreen",
  declaredFieldsHold: "falselyGreen",
};

/** Plays stories, records what was counted, and returns what each broke, and the words that were in them and never played. */
export async function playMany(options: Options): Promise<{ broken: string[]; unplayed: string[] }> {
  const folder = join(RECORDS, options.name, FRONT);
  mkdirSync(folder, { recursive: true });
  const home = await EngineHome.make();
  const grounds: Ground[] = Array.from({ length: options.parallel }, () => ({ home }));
  const counts = { stories: 0, commands: 0, failedCommands: 0, refused: 0, reviews: 0 };
  const words = new Map(options.stories.flatMap(wordsIn).map((word) => [word, 0]));
  const moments: Record<string, number> = {};
  const failures: Failure[] = [];
  const waiting = [...options.stories];
  const work = async (ground: Ground): Promise<void> => {
    for (let story = waiting.shift(); story !== undefined; story = waiting.shift()) {
      const began = Date.now();
      const { failure, play, moments: passed } = await playStory(ground, story);
      const how = failure === undefined ? "holds" : `BROKEN: ${failure.promise}: ${failure.found.join("; ")}`;
      const title = story.seed ?? listed(story.steps.slice(0, 3));
      writeFileSync(
        join(folder, `seed-${story.seed ?? counts.stories}.txt`),
        `${listed(story.steps)}\n\n${play.story}\n${how}\n`,
      );
      counts.stories++;
      counts.commands += play.commands;
      counts.failedCommands += play.failed;
      counts.reviews += play.reviews;
      if (story.made !== undefined && play.failed > 0) counts.refused++;
      for (const [word, count] of play.played) words.set(word, (words.get(word) ?? 0) + count);
      for (const moment of passed) moments[moment] = (moments[moment] ?? 0) + 1;
      if (failure !== undefined) failures.push(failure);
      process.stderr.write(`${counts.stories}/${options.stories.length} seed ${title}, ${play.commands} commands, ${Date.now() - began} ms: ${how.slice(0, 400)}\n`); // prettier-ignore
    }
  };
  try {
    await Promise.all(grounds.map(work));
    const [ground] = grounds;
    const simplest = ground && options.tries > 0 ? await simplified(ground, failures, options.tries) : failures;
    const harms = { lost: 0, doubled: 0, orphaned: 0, falselyGreen: 0, lies: 0, otherwiseBroken: 0 };
    for (const { promise } of failures)
      harms[promise === "reviewIsTrue" ? "lies" : (HARMS[promise] ?? "otherwiseBroken")]++;
    record(options.name, { ...counts, ...harms, moments, words: Object.fromEntries(words) });
    process.stderr.write(`${JSON.stringify({ ...counts, ...harms })}\n`);
    for (const { story, promise, found, told } of simplest)
      process.stderr.write(`\n--- Seed ${story.seed ?? ""} breaks ${promise}:\n${found.join("\n")}\n\nmade: ${JSON.stringify(story.made)}, quirks: ${JSON.stringify(story.quirks)}\n${listed(story.steps)}\n\n${told}\n`); // prettier-ignore
    return {
      broken: failures.map(
        ({ story, promise, found }) => `seed ${story.seed ?? ""} breaks ${promise}: ${found.join("; ")}`,
      ),
      unplayed: [...words].filter(([word, count]) => count === 0 && word !== TAKE_OVER).map(([word]) => word),
    };
  } finally {
    for (const { stage } of grounds) await stage?.close();
    home.close();
  }
}

/** The first failure of each promise, simplified. */
async function simplified(ground: Ground, failures: readonly Failure[], tries: number): Promise<Failure[]> {
  const firsts = failures.filter(
    ({ promise }, index) => failures.findIndex((other) => other.promise === promise) === index,
  );
  const all: Failure[] = [];
  for (const failure of firsts) {
    let best = failure;
    const fails = async (story: Story): Promise<boolean> => {
      const again = (await playStory(ground, story)).failure;
      if (again?.promise !== failure.promise) return false;
      best = again;
      return true;
    };
    await shrunk(failure.story, fails, tries);
    all.push(best);
  }
  return all;
}
