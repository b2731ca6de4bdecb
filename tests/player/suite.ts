import { explore, replay, type Explored, type Failure, type Play } from "./explore";
import type { Ran } from "./stack";
import type { Event } from "./world";

/** No story is played in more ways than these, in which each mutant shows; `npm run interleavings` allows 3,000. */
export const MOST = Number(process.env["SCHEDULES"] ?? 5);
/** One of how many is played; in `npm run interleavings` each. */
export const oneOf = (most: number): number => (MOST > 100 ? 1 : most);
/** One story alone: `STORY="<its name>" npm run interleavings`. With `SEED=<its seed>`, one schedule of it is played again. */
const { STORY, SEED } = process.env;

/** A story that can be played. */
export interface Told {
  readonly name: string;
  readonly play: Play;
}

/** Explores a part of the stories. Returns what broke, as a person reads it. */
export function exploring(all: readonly Told[]): Promise<readonly string[]> {
  const every = oneOf(3);
  return exploringEach(
    all.filter((_, index) => index % every === 0),
    (play) => explore(play, MOST),
  );
}

/** Explores each story in one way. */
export async function exploringEach(
  all: readonly Told[],
  how: (play: Play) => Promise<Explored>,
): Promise<readonly string[]> {
  const stories = all.filter((story) => STORY === undefined || story.name === STORY);
  if (SEED !== undefined) return again(stories, SEED);
  const found: (Explored & Told)[] = [];
  for (const story of stories) found.push({ ...story, ...(await how(story.play)) });
  const schedules = found.reduce((sum, each) => sum + each.schedules, 0);
  const incomplete = found.filter(({ isComplete }) => !isComplete);
  const broken = found.flatMap(({ name: story, failure }) => (failure === undefined ? [] : [shown(story, failure)]));
  console.log(`${stories.length} stories, ${schedules} schedules, ${incomplete.length} stories with more of them`);
  return broken;
}

/** Plays one schedule again, if the story is one of these. */
async function again([story]: readonly Told[], seed: string): Promise<readonly string[]> {
  if (story === undefined) return [];
  const steps = seed === "" ? [] : seed.split(",").map(Number);
  const ended = await replay(story.play, steps);
  console.log(ended === "given up" ? ended : shown(story.name, { seed: steps, ...ended }));
  return [];
}

const shown = (story: string, { seed, problems, said }: Failure): string =>
  `STORY="${story}" SEED=${seed.join(",")}\n${problems.join("\n")}\n${said}`;

/** The schedule, line by line, and how the commands ended. */
export function toldOf(events: readonly Event[], ran: ReadonlyMap<string, Pick<Ran, "isGreen" | "said">>): string {
  const lines = events.map(({ step, way, status }) => {
    const what = way === "kill" ? "is killed" : `${step.name}${way === "pass" ? "" : ` (${way})`}`;
    return `  ${step.who.padEnd(8)}  ${what}${status === undefined ? "" : `: ${status}`}`;
  });
  const ends = [...ran].map(
    ([who, { isGreen, said }]) => `  ${who.padEnd(8)}  ends ${isGreen ? "green" : `red: ${said}`}`,
  );
  return [...lines, ...ends].join("\n");
}
