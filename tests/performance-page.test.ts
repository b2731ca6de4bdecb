import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { withResults } from "../bench/page";
import { picture } from "../bench/picture";

const read = (...path: string[]): string => readFileSync(join(__dirname, "..", ...path), "utf8");

const results = z
  .object({
    machine: z.object({ cpus: z.number(), node: z.string() }),
    rows: z.array(
      z.object({
        name: z.string(),
        ours: z.string(),
        baseline: z.string(),
        ratio: z.number(),
        goal: z.string().optional(),
        isMet: z.boolean(),
      }),
    ),
    curves: z.array(
      z.object({
        name: z.string(),
        points: z.array(z.object({ count: z.number(), ours: z.number(), baseline: z.number() })),
      }),
    ),
  })
  .parse(JSON.parse(read("bench", "results.json")));

/** The formatter pads the cells of a table. */
const unpadded = (markdown: string): string =>
  markdown.replace(/-{3,}/g, "---").replace(/ +/g, " ").replace(/\n+/g, "\n").trim();

test("docs/performance.md shows the measured results, and no others", () => {
  const page = read("docs", "performance.md");
  expect(unpadded(withResults(page, results))).toBe(unpadded(page));
});

test("the page's picture shows the measured curves", () => {
  expect(read("docs", "performance.svg")).toBe(picture(results.curves));
});

test("results come from a run of all measurements: every goal of the plan has its row", () => {
  const names = results.rows.filter(({ goal }) => goal !== undefined).map(({ name }) => name);
  for (const part of [
    /^up of 200 templates/,
    /^state per resource/,
    /^preview of 200 templates.*requests/,
    /^preview of 800 templates.*time/,
    /^refresh of 500 templates.*requests/,
    /^refresh of 10,000 templates.*requests/,
    /^200 rollouts.*95th percentile/,
    /^up of 40 rollouts/,
    /^1,000 rollouts at once.*most polls/,
    /^3,000 creates.*429/,
    /^start of the plugin to its first call/,
    /^memory of the plugin/,
    /^growth of up/,
    /^growth of refresh/,
    /^stream of 100,000 chunks/,
    /^first chunk of a stream/,
  ]) {
    expect(names.some((name) => part.test(name)) ? "" : `no row ${part.source}`).toBe("");
  }
});

test("a page without a place for the results is refused", () => {
  expect(() => withResults("# Performance\n", results)).toThrow("the page has no place between");
});
