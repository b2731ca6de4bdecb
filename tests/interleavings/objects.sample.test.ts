import { exploring } from "./suite";
import { World } from "./world";

let world: World;
beforeAll(async () => (world = await World.start()));
afterAll(() => world.close());

test("two at once, about a template, an OAuth provider or a listener: the same promises as for a deployment", async () => {
  expect(await exploring(world, "objects", ({ subject }) => subject.kind !== "Deployment")).toEqual([]);
});
