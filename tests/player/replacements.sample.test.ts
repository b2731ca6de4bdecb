import { hasRevisions } from "./declarations";
import { allStories, endsInTwo, type Story } from "./stories";
import { exploring } from "./suite";
import { World } from "./world";

let world: World;
/** Where a build takes no time, and a delete does. */
let quick: World;
beforeAll(async () => ([world, quick] = await Promise.all([World.start(), World.start({ buildSeconds: 0 })])));
afterAll(() => Promise.all([world.close(), quick.close()]));

const isOfThese = ({ type, act }: Story): boolean =>
  hasRevisions(type) && ["replace", "rename", "delete"].includes(act);

test("two at once, about a deployment that is replaced or deleted: the same promises", async () => {
  expect(
    await exploring(
      world,
      "replacements",
      allStories().filter((story) => isOfThese(story) && !endsInTwo(story)),
    ),
  ).toEqual([]);
});

test("the same where builds take no time, of the stories with most schedules", async () => {
  expect(await exploring(quick, "renames", allStories().filter(endsInTwo))).toEqual([]);
});
