import type { Story } from "./stories";
import { exploring } from "./suite";
import { World } from "./world";

/** The others are in a suite of their own, for a second core. */
const isOfThese = ({ subject, act }: Story): boolean =>
  subject.kind === "Deployment" && ["create", "update", "refresh"].includes(act);

let world: World;
beforeAll(async () => (world = await World.start()));
afterAll(() => world.close());

test("two at once, about a deployment: green only if it is so, nothing of another lost unseen, and the last up reaches its wish", async () => {
  expect(await exploring(world, "deployments", isOfThese)).toEqual([]);
});
