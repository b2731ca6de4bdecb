import { storyOf, wordsIn, wordsOn, type Story } from "./drawing";
import { KINDS } from "./made-states";
import { QUIRK_NAMES } from "./platform";
import { shrunk, simpler } from "./run";
import { atMerge } from "./seeds";

test("a seed plays the same story again", () =>
  expect(storyOf(7, "empty", 5, "native")).toEqual(storyOf(7, "empty", 5, "native")));

test.each(["native", "dynamic"] as const)(
  "200 stories on the plugin %s say every word, and meet every quirk and state",
  (front) => {
    const stories = Array.from({ length: 200 }, (_, seed) => [
      storyOf(seed, "empty", 8, front),
      storyOf(seed, "made", 1, front),
    ]);
    const said = new Set(stories.flat().flatMap(wordsIn));
    const all = [...wordsOn(front), ...QUIRK_NAMES, ...Object.keys(KINDS)];
    expect(all.filter((word) => !said.has(word))).toEqual([]);
  },
);

test("the suites of a merge together say every word, and meet every quirk and state", () => {
  const said = new Set(
    (["once", "empty", "made", "older"] as const).flatMap((suite) => atMerge(suite, "native")).flatMap(wordsIn),
  );
  const all = [...wordsOn("native"), ...QUIRK_NAMES, ...Object.keys(KINDS)];
  expect(all.filter((word) => !said.has(word))).toEqual([]);
});

describe("a story that fails", () => {
  const says = ({ steps }: Story): boolean => steps.some(([word]) => word === "up --refresh");
  const story = Array.from({ length: 50 }, (_, seed) => storyOf(seed, "empty", 8, "native")).find(
    (each) => says(each) && each.quirks.length > 0,
  );

  test("is shrunk to the step that fails", async () => {
    if (story === undefined) throw new Error("no such story");
    const best = await shrunk(story, (each) => Promise.resolve(says(each)), 300);
    expect([best.steps.map(([word]) => word), best.quirks]).toEqual([["up --refresh"], []]);
  });

  test("is played no more often than allowed", async () => {
    if (story === undefined) throw new Error("no such story");
    let played = 0;
    await shrunk(story, () => Promise.resolve(played++ < 0), 3);
    expect([played, simpler(story).length > 3]).toEqual([3, true]);
  });
});
