import { hasRevisions } from "./declarations";
import { allStories, type Story } from "./stories";
import { exploring } from "./suite";
import { World } from "./world";

/** The others are in a suite of their own, for a second core. */
const isOfThese = ({ type, act }: Story): boolean =>
  hasRevisions(type) && ["create", "update", "refresh"].includes(act);

let world: World;
beforeAll(async () => (world = await World.start()));
afterAll(() => world.close());

test("two at once, about a deployment: green only if it is so, nothing of another lost unseen, and the last up reaches its wish", async () => {
  expect(await exploring(world, "deployments", allStories().filter(isOfThese))).toEqual([]);
});
