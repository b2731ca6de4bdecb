import { FRONT } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";

import { BY_HAND } from "./player/by-hand";
import { drawing, type Story } from "./player/drawing";
import type { Step } from "./player/play";
import { HANDLES } from "./player/program";
import { playMany } from "./player/run";

const LOOK: Step = ["drift"];

/** All types, some of them twice; then somebody changes three objects, and both look, three times. */
function storyOf(seed: number): Story {
  const below = drawing(seed);
  const declared = HANDLES.filter((handle) => handle.endsWith("1") || below(3) === 0);
  // A deployment that is being deleted takes its agent's objects along: nobody changes those by hand.
  const words = BY_HAND.filter((word) => word !== "begin to delete the deployment");
  const done = new Set<string>();
  const hand = (): Step => {
    const [word, handle] = [words[below(words.length)], declared[below(declared.length)]];
    const isNew = !done.has(`${word} ${handle}`);
    done.add(`${word} ${handle}`);
    return isNew && word !== undefined ? [word, handle, below(64)] : hand();
  };
  const rounds = [1, 2, 3].flatMap(() => [hand(), hand(), hand(), LOOK]);
  return {
    seed,
    quirks: [],
    refreshes: false,
    // How stacks settle: player.native.test.ts.
    isLeft: true,
    steps: [...declared.map((handle): Step => ["declare", handle, below(64)]), ["up"], LOOK, ...rounds],
  };
}

describeWithEngine("drift --stacks", () => {
  // `DRIFTS=30` plays thirty stacks; so does `npm run chaos:engine`.
  test("finds in the states, without an engine, what the engine's refresh finds", async () => {
    const count = Number(process.env["DRIFTS"] ?? (process.env["CHAOS_ENGINE"] === undefined ? 1 : 30));
    const stories = Array.from({ length: count }, (_, index) => storyOf(index + 1));
    expect(await playMany({ name: `drift-${FRONT}`, stories, parallel: 2, tries: 0 })).toEqual([]);
  });
});
