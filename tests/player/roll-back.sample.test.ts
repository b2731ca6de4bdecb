import { exploringAll } from "./suite";
import { playing } from "./roll-back-judge";
import { Program } from "./roll-back-program";
import { allStories } from "./roll-back-stories";

let program: Program;
beforeAll(async () => (program = await Program.start()));
afterAll(() => program.close());

test("whatever happens around a check that goes back: green only if what is declared serves and passed, never two redeploys for one failure", async () => {
  const told = allStories().map((story) => ({ name: story.name, play: playing(program, story) }));
  expect(await exploringAll("roll-back", told)).toEqual([]);
});
