import { allStories } from "./stories";
import { canRepeat, hasRevisions } from "./declarations";
import { exploring } from "./suite";
import { World } from "./world";

let world: World;
beforeAll(async () => (world = await World.start()));
afterAll(() => world.close());

test("two at once, about a template, an OAuth provider, a listener or a registry: the same promises as for a deployment", async () => {
  expect(
    await exploring(
      world,
      "objects",
      allStories().filter(({ type }) => !hasRevisions(type) && !canRepeat(type)),
    ),
  ).toEqual([]);
});
