import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { record, RECORDS } from "../reliability/record";
import { EngineHome } from "./random/engine-stack";
import { brokenBy, playMany } from "./random/runner";
import { FRONT } from "../support/cli-stack";
import { describeWithEngine } from "../support/with-engine";

jest.setTimeout(14_400_000);

/** `npm run chaos:engine` plays 100 programs on each plugin, `npm run test:all` the same few short ones each time. */
const chaos = process.env["CHAOS_ENGINE"] !== undefined;
const RUNS = Number(process.env["CHAOS_RUNS"] ?? (chaos ? 100 : 5));
/** Each program has a seed; `CHAOS_SEED=n CHAOS_RUNS=1 npm run chaos:engine` plays it again. A list of seeds plays those. */
const UNSEEDED = chaos ? Date.now() % 1_000_000 : 1;
const [FIRST = Number.NaN, ...OTHERS] = (process.env["CHAOS_SEED"] ?? String(UNSEEDED)).split(",").map(Number);
const SEEDS = OTHERS.length > 0 ? [FIRST, ...OTHERS] : Array.from({ length: RUNS }, (_, index) => FIRST + index);
const STEPS = Number(process.env["CHAOS_STEPS"] ?? (chaos ? 4 : 2));
/** The story of each program of the last run, to read. */
const STORIES = join(RECORDS, "stories", FRONT);

describeWithEngine("random programs on the real engine", () => {
  test(`${RUNS} programs lose nothing, double nothing, and are never falsely green`, async () => {
    mkdirSync(STORIES, { recursive: true });
    const home = await EngineHome.make();
    try {
      const { coverage, counts, failures } = await playMany(home, {
        seeds: SEEDS,
        steps: STEPS,
        parallel: Number(process.env["CHAOS_PARALLEL"] ?? 2),
        tries: Number(process.env["CHAOS_TRIES"] ?? (chaos ? 25 : 0)),
        keep: (seed, story) => writeFileSync(join(STORIES, `seed-${seed}.txt`), `${story}\n`),
        tell: (line) => process.stderr.write(`${line}\n`),
      });
      record("engine-programs", { ...counts, ...brokenBy(failures), operations: coverage.table });
      process.stderr.write(`${coverage.text}\n${JSON.stringify({ ...counts, ...brokenBy(failures) })}\n`);
      for (const { seed, invariant, found, story } of failures) {
        process.stderr.write(`\n--- Seed ${seed} breaks ${invariant}:\n${found.join("\n")}\n\n${story}\n`);
      }
      expect(
        failures.map(({ seed, invariant, found }) => `seed ${seed} breaks ${invariant}: ${found.join("; ")}`),
      ).toEqual([]);
    } finally {
      home.close();
    }
  });
});
