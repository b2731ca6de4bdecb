import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CliStack, FRONT } from "../../support/cli-stack";
import type { Story } from "./drawing";
import { Stage } from "./made-states";
import { KEYS, Platform } from "./platform";
import { Broken, Play, TAKE_OVER, type Step } from "./play";
import { settle } from "./settling";
import { EngineStack } from "./stack";
import { takeOver, wasAskedBy } from "./upgrading";

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
}

/** Where stories are played: the states that are made have a stack that stays. */
interface Ground {
  readonly blank: CliStack;
  stage?: Stage;
}

async function begin(ground: Ground, story: Story): Promise<Play> {
  if (story.made !== undefined) {
    const stage = (ground.stage ??= await Stage.open(ground.blank));
    const play = new Play(ground.blank, stage.stack, stage.platform);
    await stage.set(play, story.made);
    for (const [handle, kind] of Object.entries(story.made)) play.tell(`${handle}: ${kind}`);
    return play;
  }
  const platform = await Platform.start(story.quirks);
  const play = new Play(ground.blank, EngineStack.like(ground.blank), platform);
  if (story.from !== undefined) {
    play.stack.install(story.from);
    play.version = story.from;
    play.model.goesWith = "any";
  }
  play.stack.connect(platform, KEYS.first);
  play.tell(`Version ${play.version}. ${story.quirks.length > 0 ? `The platform ${story.quirks.join(", ")}.` : ""}`);
  return play;
}

/** Plays a story to its end, or to the first promise that does not hold. */
async function playStory(ground: Ground, story: Story): Promise<Played> {
  const play = await begin(ground, story);
  try {
    for (const step of story.steps) {
      if (step[0] === TAKE_OVER) await takeOver(play);
      else await play.step(step);
    }
    if (story.isLeft !== true) await settle(play, story.refreshes);
    if (story.made === undefined) wasAskedBy(play);
    return { play };
  } catch (error) {
    const broken = error instanceof Broken ? error : undefined;
    const found = broken?.found ?? [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    return { play, failure: { story, promise: broken?.promise ?? "thePlayerWorks", found, told: play.story } };
  } finally {
    if (story.made === undefined) {
      play.stack.remove();
      await play.platform.close();
    }
  }
}

const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, at) => at !== index);
/** Every story that is one thing simpler; the greatest simplifications first. */
function simpler(story: Story): Story[] {
  const { steps, quirks, made = {}, refreshes } = story;
  const half = Math.ceil(steps.length / 2);
  const shorter = [steps.slice(0, half), steps.slice(half), ...steps.map((_, index) => without(steps, index))];
  const kinds = Object.entries(made);
  return [
    ...shorter.filter(({ length }) => length > 0 && length < steps.length).map((each) => ({ ...story, steps: each })),
    ...quirks.map((_, index) => ({ ...story, quirks: without(quirks, index) })),
    ...kinds.map((_, index) => ({ ...story, made: Object.fromEntries(without(kinds, index)) })),
    ...(refreshes ? [{ ...story, refreshes: false }] : []),
  ];
}

/** The simplest story found that still fails in the same way. Each try is played on the engine, so there are at most `tries`. */
async function shrunk(story: Story, fails: (story: Story) => Promise<boolean>, tries: number): Promise<Story> {
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
  /** Of the folder with the stories. */
  readonly name: string;
  readonly stories: readonly Story[];
  readonly parallel: number;
  /** How many simpler stories are tried for each promise that is broken. */
  readonly tries: number;
}
/** As they were played: CONTRIBUTING.md, Replay a seed. */
const WRITTEN = join(__dirname, "..", "..", "..", ".state", "reliability");
const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Plays stories, says what was counted, and returns what each broke. */
export async function playMany({ name, stories, parallel, tries }: Options): Promise<string[]> {
  const folder = join(WRITTEN, name, FRONT);
  mkdirSync(folder, { recursive: true });
  const blank = await CliStack.make("");
  const grounds: Ground[] = Array.from({ length: parallel }, () => ({ blank }));
  const counts = { stories: 0, commands: 0, failedCommands: 0, reviews: 0, broken: 0 };
  const failures: Failure[] = [];
  const waiting = [...stories];
  const work = async (ground: Ground): Promise<void> => {
    for (let story = waiting.shift(); story !== undefined; story = waiting.shift()) {
      const began = Date.now();
      const { failure, play } = await playStory(ground, story);
      const how = failure === undefined ? "holds" : `BROKEN: ${failure.promise}: ${failure.found.join("; ")}`;
      const file = `seed-${story.seed ?? counts.stories}.txt`;
      writeFileSync(join(folder, file), `${listed(story.steps)}\n\n${play.story}\n${how}\n`);
      counts.stories++;
      counts.commands += play.commands;
      counts.failedCommands += play.failed;
      counts.reviews += play.reviews;
      if (failure !== undefined) counts.broken = failures.push(failure);
      const title = `${counts.stories}/${stories.length} seed ${story.seed ?? listed(story.steps.slice(0, 3))}`;
      say(`${title}, ${play.commands} commands, ${Date.now() - began} ms: ${how.slice(0, 400)}`);
    }
  };
  try {
    await Promise.all(grounds.map(work));
    say(JSON.stringify(counts));
    for (const { story, promise, found, told } of await simplified({ blank }, failures, tries))
      say(`\n--- Seed ${story.seed ?? ""} breaks ${promise}:\n${found.join("\n")}\n\nmade: ${JSON.stringify(story.made)}, quirks: ${JSON.stringify(story.quirks)}\n${listed(story.steps)}\n\n${told}`); // prettier-ignore
    return failures.map(({ story, promise, found }) => `seed ${story.seed ?? ""} breaks ${promise}: ${found.join("; ")}`); // prettier-ignore
  } finally {
    for (const { stage } of grounds) await stage?.close();
    blank.remove();
  }
}

/** The first failure of each promise, simplified. */
async function simplified(ground: Ground, failures: readonly Failure[], tries: number): Promise<Failure[]> {
  if (tries === 0) return [...failures];
  const best = new Map([...failures].reverse().map((failure) => [failure.promise, failure]));
  for (const [promise, { story }] of best) {
    const fails = async (each: Story): Promise<boolean> => {
      const again = (await playStory(ground, each)).failure;
      if (again?.promise !== promise) return false;
      best.set(promise, again);
      return true;
    };
    await shrunk(story, fails, tries);
  }
  await ground.stage?.close();
  return [...best.values()];
}
