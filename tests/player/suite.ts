import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RECORDS, record } from "../reliability/record";
import { isThorough } from "../support/thorough";
import { explore, playAtRandom, replay, type Explored, type Failure, type Play } from "./explore";
import { playing } from "./judge";
import type { Story } from "./stories";
import type { World } from "./world";

/** No story is played in more ways than these, in which each mutant shows; `npm run interleavings` allows 3,000. */
export const MOST = Number(process.env["SCHEDULES"] ?? 5);
/** `npm test` plays one schedule of each third story, at random: the same each time. */
const SAMPLE = { schedules: 1, oneOf: 3 };
/** One story alone: `STORY="<its name>" npm run interleavings`. With `SEED=<its seed>`, one schedule of it is played again. */
const { STORY, SEED } = process.env;

/** A story that can be played. */
export interface Told {
  readonly name: string;
  readonly play: Play;
}

/** Explores one story. */
export const explored = (world: World, story: Story): Promise<Explored> => explore(playing(world, story), MOST);

/** Explores the stories of two at once. Returns what broke, as a person reads it. */
export function exploring(world: World, name: string, stories: readonly Story[]): Promise<readonly string[]> {
  let windows = 0;
  const told = stories.map((story) => ({ name: story.name, play: playing(world, story, () => (windows += 1)) }));
  return exploringAll(name, told, () => ({ windows }));
}

/** Explores stories, and keeps the counts; in `npm test` a sample of them. Returns what broke, as a person reads it. */
export async function exploringAll(
  name: string,
  all: readonly Told[],
  counted: () => Readonly<Record<string, number>> = () => ({}),
): Promise<readonly string[]> {
  const sample = all.filter((_, index) => isThorough || index % SAMPLE.oneOf === 0);
  let played = 0;
  return exploringEach(name, sample, counted, (play) =>
    isThorough ? explore(play, MOST) : playAtRandom(play, SAMPLE.schedules, (played += 1)),
  );
}

/** Explores each story in one way, and keeps the counts. */
export async function exploringEach(
  name: string,
  all: readonly Told[],
  counted: () => Readonly<Record<string, number>>,
  how: (play: Play) => Promise<Explored>,
): Promise<readonly string[]> {
  const stories = all.filter((story) => STORY === undefined || story.name === STORY);
  if (SEED !== undefined) return again(stories, SEED);
  const broken: string[] = [];
  const incomplete: string[] = [];
  const lines: string[] = [];
  let sum = 0;
  for (const story of stories) {
    const found = await how(story.play);
    sum += found.schedules;
    if (!found.isComplete) incomplete.push(story.name);
    lines.push(`${found.isComplete ? "all " : "some"} ${found.schedules} ${story.name}`);
    if (found.failure !== undefined) broken.push(shown(story.name, found.failure));
  }
  if (isThorough && STORY === undefined) {
    const counts = { stories: stories.length, schedules: sum, incomplete, ...counted(), broken: broken.length };
    record(`player-${name}`, counts);
    writeFileSync(join(RECORDS, `player-${name}.txt`), `${lines.join("\n")}\n`);
  }
  console.log(`${stories.length} stories, ${sum} schedules, ${incomplete.length} stories with more of them`);
  return broken;
}

/** Plays one schedule again, if the story is one of these. */
async function again(stories: readonly Told[], seed: string): Promise<readonly string[]> {
  const [story] = stories;
  if (story === undefined) return [];
  const steps = seed === "" ? [] : seed.split(",").map(Number);
  const ended = await replay(story.play, steps);
  console.log(ended === "given up" ? ended : shown(story.name, { seed: steps, ...ended }));
  return [];
}

const shown = (story: string, { seed, problems, said }: Failure): string =>
  `STORY="${story}" SEED=${seed.join(",")}\n${problems.join("\n")}\n${said}`;
