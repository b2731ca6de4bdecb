// `npm run chaos -- --runs N [--seed S]`: the model-based tests for as long as you like. Prints the seed, which plays the same programs again.
const { spawnSync } = require("node:child_process");
const { parseArgs } = require("node:util");

const { values } = parseArgs({ options: { runs: { type: "string", default: "10000" }, seed: { type: "string" } } });
const seed = values.seed ?? String(Date.now() % 1_000_000_000);
for (const [name, value] of Object.entries({ runs: values.runs, seed })) {
  if (!/^\d+$/.test(value)) {
    console.error(`--${name} must be a whole number`);
    process.exit(2);
  }
}
console.log(`${values.runs} programs, seed ${seed}`);
const env = { ...process.env, CHAOS_RUNS: values.runs, CHAOS_SEED: seed };
process.exitCode = spawnSync("npx", ["jest", "tests/faults"], { stdio: "inherit", env }).status ?? 1;
