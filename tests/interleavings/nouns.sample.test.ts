import { exploring } from "./suite";
import { canRepeat } from "./nouns";
import { World } from "./world";

let world: World;
beforeAll(async () => (world = await World.start()));
afterAll(() => world.close());

test("two at once, about a snapshot, an assistant or a cron, of which several can have one name: the same promises", async () => {
  if (process.env["SEED"] !== undefined) return;
  const only = process.env["ONLY"];
  expect(
    await exploring(
      world,
      "repeating",
      ({ subject, name }) => canRepeat(subject.kind) && (only === undefined || new RegExp(only).test(name)),
    ),
  ).toEqual([]);
});
