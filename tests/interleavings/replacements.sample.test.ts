import type { Story } from "./stories";
import { exploring } from "./suite";
import { World } from "./world";

let world: World;
beforeAll(async () => (world = await World.start()));
afterAll(() => world.close());

const isOfThese = ({ subject, act }: Story): boolean =>
  subject.kind === "Deployment" && ["replace", "rename", "delete"].includes(act);

test("two at once, about a deployment that is replaced or deleted: the same promises", async () => {
  expect(await exploring(world, "replacements", isOfThese)).toEqual([]);
});
