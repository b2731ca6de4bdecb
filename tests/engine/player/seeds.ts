import { FRONT, type Front } from "../../support/cli-stack";
import { earlierVersions } from "../../upgrade/package";
import { isToldOn, storyOf, telling, wordsIn, type Begin, type Story } from "./drawing";
import { regressions } from "./regressions";
import { playMany } from "./run";

/** `npm run chaos:engine` and `npm run upgrades` play many stories on each plugin, `npm run test:all` the same few each time. */
const chaos = process.env["CHAOS_ENGINE"] !== undefined;
const given = process.env["CHAOS_SEED"]?.split(",").map(Number);

/** How the stories of a suite begin; "once" are those that have once failed. */
type Suite = "empty" | "made" | "older" | "once";
/** Those of a merge, and those of `chaos:engine`; about how many commands each has before its end. */
const SIZES = { empty: [5, 100, 5], made: [6, 200, 1], older: [3, 50, 4], once: [0, 0, 0] } as const;

/** Each earlier version in turn. */
const beginOf = (suite: Suite, seed: number): Begin => {
  const versions = earlierVersions();
  return suite === "older" ? { version: versions[seed % versions.length] ?? "" } : suite === "made" ? suite : "empty";
};
const storyAt =
  (suite: Suite, front: Front, commands: number) =>
  (seed: number): Story =>
    storyOf(seed, beginOf(suite, seed), commands, front);

/** The stories of a merge: those that show the most words that the suites before it do not. */
export function atMerge(suite: Suite, front: Front = FRONT): Story[] {
  const once = regressions().filter((story) => isToldOn(front, story));
  if (suite === "once") return once;
  const [few, , commands] = SIZES[suite];
  const others = suite === "older" ? [...once, ...atMerge("empty", front)] : suite === "empty" ? once : [];
  const at = storyAt(suite, front, commands);
  const seeds = Array.from({ length: 150 }, (_, seed) => seed + 1);
  return telling(few, seeds, at, new Set(others.flatMap(wordsIn))).map(at);
}

/** `CHAOS_SEED=7` plays one again, a list plays those, and `CHAOS_RUNS` says how many follow on the first. */
function stories(suite: Suite): Story[] {
  const [, many, commands] = SIZES[suite];
  const at = storyAt(suite, FRONT, Number(process.env["CHAOS_STEPS"] ?? commands));
  if (given !== undefined && given.length > 1) return given.map(at);
  if (suite === "once") return atMerge(suite);
  if (given === undefined && !chaos && process.env["CHAOS_RUNS"] === undefined) return atMerge(suite);
  const first = given?.[0] ?? Date.now() % 1_000_000;
  const runs = Number(process.env["CHAOS_RUNS"] ?? (given === undefined ? many : 1));
  return Array.from({ length: runs }, (_, index) => at(first + index));
}

/** Plays the stories of a suite, and returns what was broken. */
export const played = (suite: Suite): Promise<string[]> =>
  playMany({
    name: `engine-${suite}`,
    stories: stories(suite),
    parallel: Number(process.env["CHAOS_PARALLEL"] ?? 2),
    tries: Number(process.env["CHAOS_TRIES"] ?? (chaos ? 25 : 0)),
  });
