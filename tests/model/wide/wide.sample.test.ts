import fc from "fast-check";
import { isThorough } from "../../support/thorough";
import { Ground } from "./ground";
import { play } from "./play";
import { program } from "./steps";
import { WORLDS } from "./worlds";

/** `npm run chaos` sets both. Without them every run of the suite plays the same programs. */
const RUNS = Math.ceil(Number(process.env["CHAOS_RUNS"] ?? (isThorough ? 1000 : 200)) / 100);
const SEED = Number(process.env["CHAOS_SEED"] ?? 40_501);

const grounds: Ground[] = [];
beforeAll(async () => {
  for (const world of WORLDS) grounds.push(await Ground.start(world));
});
afterAll(() => Promise.all(grounds.map(({ platform }) => platform.close())));

test.each(WORLDS.map(({ name, why }, index) => ({ name, why, index })))(
  `${RUNS} programs in the world "$name" ($why): nothing lost, doubled, left in silence or falsely green (seed ${SEED})`,
  async ({ index }) => {
    const ground = grounds[index];
    if (ground === undefined) throw new Error("no such world");
    await fc.assert(
      fc.asyncProperty(program, (each) => play(ground, each)),
      { numRuns: RUNS, seed: SEED + index },
    );
  },
  RUNS * 5000,
);
