import { availableParallelism } from "node:os";
import { backends } from "./backends";
import { consolePage } from "./console";
import { deletes } from "./deletes";
import { engineGrowth } from "./engine-growth";
import { engineRollouts } from "./engine-rollouts";
import { engineSettings } from "./engine-settings";
import { engineUp } from "./engine-up";
import { firstCall } from "./first-call";
import { manyCreates } from "./many-creates";
import { manyRollouts } from "./many-rollouts";
import { memory } from "./memory";
import { native } from "./native";
import { refreshTemplates } from "./refresh-templates";
import { rowsOf, textTable, type Part } from "./page";
import { writeReport } from "./report";
import { rolloutLag } from "./rollout-lag";
import type { Measurement } from "./row";
import { sharedLimit } from "./shared-limit";
import { streams } from "./streams";
import { yaml } from "./yaml";

const MEASUREMENTS: readonly Measurement[] = [
  { name: "rollout-lag", run: rolloutLag },
  { name: "many-rollouts", run: manyRollouts },
  { name: "many-creates", run: manyCreates },
  { name: "shared-limit", run: sharedLimit },
  { name: "deletes", run: deletes },
  { name: "refresh-templates", run: refreshTemplates },
  { name: "streams", run: streams },
  { name: "first-call", run: firstCall },
  { name: "memory", run: memory },
  { name: "up", run: engineUp },
  { name: "growth", run: engineGrowth },
  { name: "rollouts", run: engineRollouts },
  { name: "settings", run: engineSettings },
  { name: "native", run: native },
  { name: "yaml", run: yaml },
  { name: "console", run: consolePage },
  { name: "backends", run: backends, alone: true },
];

/**
 * `npm run bench [-- NAME ...]`. All of them also write the results and the report; some do so with `--write`, beside the kept results of
 * the others. With `--check`, a missed goal ends it with 1.
 */
async function main(args: readonly string[]): Promise<void> {
  const wanted = args.filter((arg) => !arg.startsWith("--"));
  const unknown = wanted.find((name) => !MEASUREMENTS.some((each) => each.name === name));
  if (unknown !== undefined) {
    throw new Error(`there is no "${unknown}"; there are: ${MEASUREMENTS.map(({ name }) => name).join(", ")}`);
  }
  const parts: Part[] = [];
  for (const { name, run, alone = false } of MEASUREMENTS) {
    if (wanted.length > 0 ? !wanted.includes(name) : alone) continue;
    const began = performance.now();
    process.stderr.write(`${name} ... `);
    const measured = await run();
    process.stderr.write(`${((performance.now() - began) / 60_000).toFixed(1)} min\n`);
    parts.push({ name, ...measured });
  }
  const rows = rowsOf({ parts });
  console.log(textTable(rows));
  for (const { tables } of parts) if (tables !== undefined) console.log(`\n${tables}`);
  if (wanted.length === 0 || args.includes("--write")) {
    const machine = { cpus: availableParallelism(), node: process.version };
    const names = MEASUREMENTS.filter(({ alone }) => !alone).map(({ name }) => name);
    await writeReport({ machine, parts }, names);
  }
  const missed = rows.filter(({ isMet }) => !isMet).length;
  if (missed > 0) console.log(`\n${missed} missed.`);
  if (missed > 0 && args.includes("--check")) process.exitCode = 1;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
