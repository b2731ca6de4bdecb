import type { Contract } from "../../provider/base/connection";
import { isThorough } from "../support/thorough";
import { explore } from "./explore";
import { spoiling } from "./spoiled-judge";
import { allSpoiledStories } from "./spoiled-stories";
import { exploringEach, MOST } from "./suite";
import { World } from "./world";

/** Of so many spoiled answers one is played; a prime, so that those of a story are not all at the same request. */
const ONE_OF = !isThorough ? 127 : MOST > 100 ? 1 : 13;

/** Stories that the provider refuses even without a fault, or under a contract that lacks what they need. */
const isRefused = (contract: Contract, platform: Contract) => (name: string): boolean => false;

test.each<readonly [Contract, Contract]>([
  ["extended", "extended"],
  ["documented", "documented"],
  ["extended", "documented"],
])("contract %s, of a platform %s", async (contract, platform) => {
  const stacks = { ours: { settings: { contract }, isLimited: true } };
  const world = await World.start({ contract: platform, stacks });
  const told = allSpoiledStories().map((story) => ({ name: story.name, play: spoiling(world, story, ONE_OF) }));
  const how = (play: (typeof told)[number]["play"]) => explore(play, Infinity);
  expect(await exploringEach(`spoiled-${contract}-${platform}`, told, () => ({}), how)).toEqual([]);
  await world.close();
});
