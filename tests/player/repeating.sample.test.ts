import { allStories } from "./stories";
import { canRepeat } from "./declarations";
import { exploring } from "./suite";
import { World } from "./world";

let world: World;
beforeAll(async () => (world = await World.start()));
afterAll(() => world.close());

test("two at once, about a snapshot, an assistant or a cron, of which several can have one name: the same promises", async () => {
  expect(
    await exploring(
      world,
      "repeating",
      allStories().filter(({ type }) => canRepeat(type)),
    ),
  ).toEqual([]);
});
