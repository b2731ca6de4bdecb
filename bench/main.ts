import { availableParallelism } from "node:os";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { benchCommand, type Wanted } from "./command";
import { deletes } from "./deletes";
import { engineGrowth } from "./engine-growth";
import { engineRollouts } from "./engine-rollouts";
import { engineSettings } from "./engine-settings";
import { manyRollouts } from "./many-rollouts";
import { manyStacks } from "./many-stacks";
import { memory } from "./memory";
import { native } from "./native";
import { refreshTemplates } from "./refresh-templates";
import { curvesOf, merged, type Part, type Results, rowsOf, textTable, withResults } from "./page";
import { pluginStart } from "./plugin-start";
import { rolloutLag } from "./rollout-lag";
import type { Measurement } from "./row";
import { sharedLimit } from "./shared-limit";
import { starts } from "./starts";
import { streams } from "./streams";
import { picture } from "./picture";

const MEASUREMENTS: readonly Measurement[] = [
  {
    name: "rollout-lag",
    about: "200 rollouts, each by itself: from DEPLOYED to seen, and the requests",
    run: rolloutLag,
  },
  {
    name: "many-rollouts",
    about: "up to 1,000 rollouts at once: the lag, and the polls under the rate limit",
    run: manyRollouts,
  },
  {
    name: "shared-limit",
    about: "creates by one process, and by 8 of one key, under the rate limit",
    run: sharedLimit,
  },
  { name: "deletes", about: "40 deployments that take their time to be gone", run: deletes },
  { name: "refresh-templates", about: "a refresh of 10,000 templates, without the engine", run: refreshTemplates },
  { name: "many-stacks", about: "drift of 1,000 stacks, without an engine", run: manyStacks },
  { name: "streams", about: "streams of runs, against the official client", run: streams },
  { name: "plugin-start", about: "the start and the memory of the plugins' processes", run: pluginStart },
  { name: "memory", about: "the plugin's memory with 1,000 waits", run: memory },
  { name: "growth", about: "up, preview and refresh of 50 to 800 templates, and the state", run: engineGrowth },
  { name: "rollouts", about: "up of 40 rollouts, by --parallel", run: engineRollouts },
  { name: "settings", about: "settings of the engine: --parallel, and no checkpoints", run: engineSettings },
  { name: "native", about: "the native plugin, against dynamic resources", run: native },
  { name: "starts", about: "what the start of a program costs, by how it is written", run: starts },
];

async function measure({ measurements, isWritten, isChecked }: Wanted): Promise<void> {
  const parts: Part[] = [];
  for (const { name, run } of measurements) {
    const began = performance.now();
    process.stderr.write(`${name} ... `);
    const measured = await run();
    process.stderr.write(`${((performance.now() - began) / 60_000).toFixed(1)} min\n`);
    parts.push({ name, ...measured });
  }
  const rows = rowsOf({ parts });
  console.log(textTable(rows));
  if (isWritten) {
    const machine = { cpus: availableParallelism(), node: process.version };
    await writeReport(
      { machine, parts },
      MEASUREMENTS.map(({ name }) => name),
    );
  }
  const missed = rows.filter(({ isMet }) => !isMet).length;
  if (missed > 0) console.log(`\n${missed} missed.`);
  if (missed > 0 && isChecked) process.exitCode = 1;
}

benchCommand(MEASUREMENTS, measure)
  .parseAsync()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });

/** Writes bench/results.json, its part in bench/results.md, and the picture of docs/performance.md. @param names All measurements; those that `now` lacks keep their results. */
async function writeReport(now: Results, names: readonly string[], root = process.cwd()): Promise<void> {
  const file = join(root, "bench", "results.json");
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- this file is written here, and held by a test
  const results = merged(JSON.parse(readFileSync(file, "utf8")) as Results, now, names);
  writeFileSync(file, await format(JSON.stringify(results, rounded), { parser: "json" }));
  writeFileSync(join(root, "docs", "performance.svg"), picture(curvesOf(results)));
  const page = join(root, "bench", "results.md");
  writeFileSync(page, await format(withResults(readFileSync(page, "utf8"), results), { parser: "markdown" }));
}

const rounded = (_: string, value: unknown): unknown =>
  typeof value === "number" ? Number(value.toPrecision(6)) : value;
