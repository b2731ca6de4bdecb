import fc from "fast-check";
import { record } from "../reliability/record";
import { isThorough } from "../support/thorough";
import { Bench } from "./bench";
import { KINDS, program } from "./programs";
import { play } from "./run";

/** `npm run chaos` sets both. Without them every run of the suite plays the same programs. */
const CHAOS = process.env["CHAOS_RUNS"];
const RUNS = Number(CHAOS ?? (isThorough ? 1000 : 100));
const SEED = Number(process.env["CHAOS_SEED"] ?? 20_301);

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.platform.close());

test(
  `${RUNS} random programs under random faults: nothing lost, nothing doubled, nothing left (seed ${SEED})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(program, (each) => play(bench, each)),
      { numRuns: RUNS, seed: SEED },
    );
    const { tally } = bench;
    console.log(tally.show());
    if (CHAOS !== undefined) return;
    record("faults", {
      runs: tally.runs,
      seed: SEED,
      adoptedFromOthers: tally.adoptedFromOthers,
      kinds: Object.fromEntries(KINDS.map((kind) => [kind, { ...tally.of(kind) }])),
      fired: Object.fromEntries(tally.cells),
    });
    // Every kind of fault strikes every verb.
    expect(tally.rarer(isThorough ? 20 : 1)).toEqual([]);
  },
  RUNS * 1000,
);
