import { record } from "../../reliability/record";
import { isThorough } from "../../support/thorough";
import { play } from "./play";
import { stories, type Lengths } from "./stories";
import { imageOf, World, type Story } from "./world";

/** `npm test` plays each of so many. */
const STRIDE = isThorough ? 1 : 97;

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

/** How many requests the commands send where nothing else happens. */
async function lengths(): Promise<Lengths> {
  await world.begin(["passes"]);
  const passed = await world.run({ image: imageOf(2) });
  await world.begin(["fails"]);
  const failed = await world.run({ image: imageOf(2) });
  const ofPass = 2;
  return {
    before: passed.requests - ofPass,
    one: failed.requests,
    check: failed.requests - (passed.requests - ofPass),
  };
}

test("whatever happens around a check that goes back: green only if what is declared serves and passed, never two redeploys for one failure", async () => {
  const all = [...stories(await lengths())];
  const wrong: unknown[] = [];
  let played = 0;
  for (const [index, story] of all.entries()) {
    if (index % STRIDE !== 0) continue;
    const problems = await play(world, story);
    played += 1;
    if (problems.length > 0) wrong.push({ story, problems });
  }
  console.log(`${played} of ${all.length} stories`);
  const having = (part: keyof Story): number => all.filter((story) => story[part] !== undefined).length;
  const twoChecks = all.filter(({ checks }) => checks.length === 2).length;
  const broken = wrong.length;
  if (isThorough)
    record("roll-back", { stories: played, others: having("other"), kills: having("cutAt"), twoChecks, broken });
  expect(wrong.slice(0, 5)).toEqual([]);
});
