import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { withResults, type Results } from "./page";
import { picture } from "./picture";

/** bench/results.json, and its part in docs/performance.md. */
export async function writeReport(results: Results, root = process.cwd()): Promise<void> {
  writeFileSync(
    join(root, "bench", "results.json"),
    await format(JSON.stringify(results, rounded), { parser: "json" }),
  );
  writeFileSync(join(root, "docs", "performance.svg"), picture(results.curves));
  const page = join(root, "docs", "performance.md");
  writeFileSync(page, await format(withResults(readFileSync(page, "utf8"), results), { parser: "markdown" }));
}

const rounded = (_: string, value: unknown): unknown =>
  typeof value === "number" ? Number(value.toPrecision(6)) : value;
