import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RECORDS, record } from "../reliability/record";
import { isThorough } from "../support/thorough";
import { explore, playAtRandom, replay, type Failure } from "./explore";
import { playing } from "./play";
import { allStories, type Story } from "./stories";
import type { World } from "./world";

/** No story is played in more ways than these: `npm run interleavings` allows 3,000. */
const MOST = Number(process.env["SCHEDULES"] ?? 60);
/** `npm test` plays each story so often, at random: the same each time. */
const SAMPLE = 1;

interface Told {
  readonly story: string;
  readonly schedules: number;
  readonly isComplete: boolean;
}

/** Explores the stories, and keeps the counts. Returns what broke, as a person reads it. */
export async function exploring(
  world: World,
  name: string,
  isOfThese: (story: Story) => boolean,
): Promise<readonly string[]> {
  const told: Told[] = [];
  const broken: string[] = [];
  let windows = 0;
  const stories = allStories().filter(isOfThese);
  for (const [index, story] of stories.entries()) {
    const play = playing(world, story, () => (windows += 1));
    const found = isThorough ? await explore(play, MOST) : await playAtRandom(play, SAMPLE, index + 1);
    told.push({ story: story.name, schedules: found.schedules, isComplete: found.isComplete });
    if (found.failure !== undefined) broken.push(shown(story.name, found.failure));
  }
  const sum = told.reduce((total, { schedules }) => total + schedules, 0);
  const incomplete = told.filter(({ isComplete }) => !isComplete).map(({ story }) => story);
  if (isThorough) {
    record(`interleavings-${name}`, {
      stories: told.length,
      schedules: sum,
      incomplete,
      windows,
      broken: broken.length,
    });
    const lines = told.map(
      ({ story, schedules, isComplete }) => `${isComplete ? "all " : "some"} ${schedules} ${story}`,
    );
    writeFileSync(join(RECORDS, `interleavings-${name}.txt`), `${lines.join("\n")}\n`);
  }
  console.log(`${told.length} stories, ${sum} schedules, ${incomplete.length} stories with more of them`);
  return broken;
}

/** Plays one schedule of one story again: `STORY="<its name>" SEED=<its seed> npm run interleavings`. */
export async function again(world: World, name: string, seed: string): Promise<string> {
  const story = allStories().find((each) => each.name === name);
  if (story === undefined) throw new Error(`no story "${name}"`);
  const steps = seed === "" ? [] : seed.split(",").map(Number);
  const ended = await replay(playing(world, story), steps);
  return ended === "given up" ? ended : shown(name, { seed: steps, ...ended });
}

const shown = (story: string, { seed, problems, said }: Failure): string =>
  `STORY="${story}" SEED=${seed.join(",")}\n${problems.join("\n")}\n${said}`;
