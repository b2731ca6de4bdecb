import { Program, storiesOf } from "./roll-back";
import { exploring } from "./suite";

test("whatever happens around a check that goes back: green only if what is declared serves and passed, never two redeploys for one failure", async () => {
  const program = await Program.start();
  const broken = await exploring(storiesOf(program));
  await program.world.close();
  expect(broken).toEqual([]);
});
