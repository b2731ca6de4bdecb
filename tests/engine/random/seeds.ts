import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { record, RECORDS } from "../../reliability/record";
import { FRONT } from "../../support/cli-stack";
import { EngineHome } from "./engine-stack";
import { brokenBy, playMany } from "./runner";

/** `npm run chaos:engine` and `npm run upgrades` play many programs on each plugin, `npm run test:all` the same few short ones each time. */
const chaos = process.env["CHAOS_ENGINE"] !== undefined;

/** The seeds that a run plays: `CHAOS_SEED=n CHAOS_RUNS=1` plays one again, and a list of seeds plays those. */
export function seedsOf(few: number, many: number): readonly number[] {
  const runs = Number(process.env["CHAOS_RUNS"] ?? (chaos ? many : few));
  const unseeded = chaos ? Date.now() % 1_000_000 : 1;
  const [first = Number.NaN, ...others] = (process.env["CHAOS_SEED"] ?? String(unseeded)).split(",").map(Number);
  return others.length > 0 ? [first, ...others] : Array.from({ length: runs }, (_, index) => first + index);
}

/**
 * Plays the programs of these seeds, records what they counted under this name, and returns a line for each that broke an invariant. The story of each
 * program is kept to read, in the folder `stories`.
 */
export async function brokenSeeds(
  name: string,
  stories: string,
  seeds: readonly number[],
  from?: (seed: number) => string,
): Promise<string[]> {
  const folder = join(RECORDS, stories, FRONT);
  mkdirSync(folder, { recursive: true });
  const home = await EngineHome.make();
  try {
    const { coverage, counts, moments, failures } = await playMany(home, {
      seeds,
      steps: Number(process.env["CHAOS_STEPS"] ?? (chaos ? 4 : 2)),
      parallel: Number(process.env["CHAOS_PARALLEL"] ?? 2),
      tries: Number(process.env["CHAOS_TRIES"] ?? (chaos ? 25 : 0)),
      ...(from && { from }),
      keep: (seed, story) => writeFileSync(join(folder, `seed-${seed}.txt`), `${story}\n`),
      tell: (line) => process.stderr.write(`${line}\n`),
    });
    const counted = { ...counts, ...brokenBy(failures), ...(from && { moments }) };
    record(name, { ...counted, operations: coverage.table });
    process.stderr.write(`${coverage.text}\n${JSON.stringify(counted)}\n`);
    for (const { seed, invariant, found, story } of failures) {
      process.stderr.write(`\n--- Seed ${seed} breaks ${invariant}:\n${found.join("\n")}\n\n${story}\n`);
    }
    return failures.map(({ seed, invariant, found }) => `seed ${seed} breaks ${invariant}: ${found.join("; ")}`);
  } finally {
    home.close();
  }
}
