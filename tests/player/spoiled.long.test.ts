import type { Contract } from "../../provider/base/connection";
import { explore, type Play } from "./explore";
import { isOffered, spoiling } from "./spoiled-judge";
import { allSpoiledStories } from "./spoiled-stories";
import { exploringEach, oneOf, type Told } from "./suite";
import { World } from "./world";

/** Of so many spoiled answers one is played; a prime, so that those of a story are not all at the same request. */
const ONE_OF = oneOf(23);
const all = (play: Play) => explore(play, Infinity);

test.each<readonly [contract: Contract, platform: Contract, offered: number]>([
  ["extended", "extended", 120],
  ["documented", "documented", 44],
  ["extended", "documented", 43],
])(
  "contract %s, of a platform %s: each promise holds, whichever answer is spoiled",
  async (contract, platform, offered) => {
    const world = await World.start({
      contract: platform,
      stacks: { ours: { settings: { contract }, isLimited: true } },
    });
    const told: Told[] = [];
    for (const story of allSpoiledStories())
      if (await isOffered(world, story)) told.push({ name: story.name, play: spoiling(world, story, ONE_OF) });
    const broken = await exploringEach(told, all);
    await world.close();
    expect(broken).toEqual([]);
    expect(told).toHaveLength(offered);
  },
);
