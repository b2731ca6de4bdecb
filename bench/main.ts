import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineUp, enginePreview, engineRefresh } from "./engine";
import { manyCreates } from "./many-creates";
import { manyRollouts } from "./many-rollouts";
import { refreshTemplates } from "./refresh-templates";
import { rolloutLag } from "./rollout-lag";
import type { Measurement, Row } from "./row";
import { streams } from "./streams";

const MEASUREMENTS: readonly Measurement[] = [
  { name: "rollout-lag", run: rolloutLag },
  { name: "many-rollouts", run: manyRollouts },
  { name: "many-creates", run: manyCreates },
  { name: "refresh-templates", run: refreshTemplates },
  { name: "streams", run: streams },
  { name: "up", run: engineUp },
  { name: "preview", run: enginePreview },
  { name: "refresh", run: engineRefresh },
];

/** `npm run bench [-- NAME]`. With `--check` a ratio that misses its goal ends it with 1. */
async function main(args: readonly string[]): Promise<void> {
  const wanted = args.filter((arg) => !arg.startsWith("--"));
  const unknown = wanted.find((name) => !MEASUREMENTS.some((each) => each.name === name));
  if (unknown !== undefined) {
    throw new Error(`there is no "${unknown}"; there are: ${MEASUREMENTS.map(({ name }) => name).join(", ")}`);
  }
  const rows: Row[] = [];
  for (const { name, run } of MEASUREMENTS) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    process.stderr.write(`${name} ...\n`);
    rows.push(...(await run()));
  }
  console.log(table(rows));
  if (wanted.length === 0) {
    writeFileSync(join(process.cwd(), "bench", "results.json"), `${JSON.stringify(rows, null, 2)}\n`);
  }
  if (args.includes("--check") && rows.some(({ isMet }) => !isMet)) process.exitCode = 1;
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ name, ours, baseline, ratio, goal, isMet }) => [
    name,
    ours,
    baseline,
    ratio.toFixed(3),
    goal,
    isMet ? "met" : "MISSED",
  ]);
  const all = [["name", "ours", "baseline", "ratio", "goal", ""], ...lines];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...all.map((line) => (line[column] ?? "").length)));
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
