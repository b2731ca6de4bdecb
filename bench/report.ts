import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { curvesOf, merged, withResults, type Results } from "./page";
import { picture } from "./picture";

/** Writes bench/results.json, its part in bench/results.md, and the picture of docs/performance.md. @param names All measurements; those that `now` lacks keep their results. */
export async function writeReport(now: Results, names: readonly string[], root = process.cwd()): Promise<void> {
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
