// `npm run chaos -- --runs N --seed S`: the random programs of the player in process, as many and from whichever seed you like.
const { spawnSync } = require("node:child_process");
const { parseArgs } = require("node:util");

const { values } = parseArgs({ options: { runs: { type: "string" }, seed: { type: "string" } } });
const runs = Number(values.runs ?? 1000);
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
  console.error("usage: npm run chaos -- [--runs N] [--seed S], both whole numbers");
  process.exit(2);
}
console.log(`${runs} runs, seed ${seed}`);
const { status } = spawnSync(
  process.execPath,
  [require.resolve("jest/bin/jest"), "tests/player/programs", "--selectProjects", "dynamic"],
  {
    stdio: "inherit",
    env: { ...process.env, CHAOS_RUNS: String(runs), CHAOS_SEED: String(seed) },
  },
);
process.exit(status ?? 1);
