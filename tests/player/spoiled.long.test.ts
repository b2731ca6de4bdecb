import type { Contract } from "../../provider/base/connection";
import { offers } from "../../provider/lifecycle/observe/observable";
import { RESOURCES } from "../../provider/resources/registry";
import { explore, type Play } from "./explore";
import { isOffered, spoiling } from "./spoiled-judge";
import { allSpoiledStories, type SpoiledStory } from "./spoiled-stories";
import { exploringEach, oneOf, type Told } from "./suite";
import { World } from "./world";

/** Of so many spoiled answers one is played; a prime, so that those of a story are not all at the same request. */
const ONE_OF = oneOf(23);
const all = (play: Play) => explore(play, Infinity);

/** What a platform without an endpoint for a read, an update or a delete does not offer of any type. */
const UNREAD = ["adopt", "adopt by id", "get", "get again", "get by name", "replace"];
const UNCHANGED = ["update", "update of all other fields", "update of another field"];

test.each<readonly [contract: Contract, platform: Contract, notOffered: readonly string[]]>([
  ["extended", "extended", ["get by name"]],
  ["documented", "documented", [...UNREAD, ...UNCHANGED]],
  ["extended", "documented", [...UNREAD, "rename", ...UNCHANGED]],
])(
  "contract %s, of a platform %s: each promise holds, whichever answer is spoiled",
  async (contract, platform, notOffered) => {
    const world = await World.start({
      contract: platform,
      stacks: { ours: { settings: { contract }, isLimited: true } },
    });
    const told: Told[] = [];
    const missing = new Set<string>();
    // Of a type that cannot be created there is no story.
    const canBeMade = ({ declared: { type } }: SpoiledStory): boolean =>
      offers(RESOURCES[type].table, platform, "create");
    for (const story of allSpoiledStories().filter(canBeMade))
      if (await isOffered(world, story)) told.push({ name: story.name, play: spoiling(world, story, ONE_OF) });
      else missing.add(story.name.replace(/^\w+: /, ""));
    const broken = await exploringEach(told, all);
    await world.close();
    expect(broken).toEqual([]);
    expect([...missing].sort()).toEqual([...notOffered].sort());
  },
);
