import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { curvesOf, merged, rowsOf, withResults } from "../bench/page";
import { picture } from "../bench/picture";
import { seconds } from "../bench/row";

const read = (...path: string[]): string => readFileSync(join(__dirname, "..", ...path), "utf8");

const results = z
  .object({
    machine: z.object({ cpus: z.number(), node: z.string() }),
    parts: z.array(
      z.object({
        name: z.string(),
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
        curves: z
          .array(
            z.object({
              name: z.string(),
              points: z.array(z.object({ count: z.number(), ours: z.number(), baseline: z.number() })),
            }),
          )
          .optional(),
      }),
    ),
  })
  .parse(JSON.parse(read("bench", "results.json")));

/** The formatter pads the cells of a table. */
const unpadded = (markdown: string): string =>
  markdown.replace(/-{3,}/g, "---").replace(/ +/g, " ").replace(/\n+/g, "\n").trim();

test("bench/results.md shows the measured results, and no others", () => {
  const page = read("bench", "results.md");
  expect(unpadded(withResults(page, results))).toBe(unpadded(page));
});

describe("docs/performance.md", () => {
  const page = read("docs", "performance.md");
  const measured = [
    ...rowsOf(results).flatMap(({ ours, baseline }) => [ours, baseline]),
    ...curvesOf(results).flatMap(({ points }) => points.map(({ ours }) => seconds(ours))),
  ];
  const rounded = measured
    .filter((figure) => figure.endsWith(" s"))
    .map((figure) => `${parseFloat(figure).toFixed(1)} s`);
  /** The times of a text that were not measured. */
  const unknownIn = (text: string): string[] =>
    (text.match(/\b\d+\.\d+ s\b/g) ?? []).filter((time) => !measured.includes(time) && !rounded.includes(time));

  test("shows times that were measured", () => {
    expect(page.match(/\b\d+\.\d+ s\b/g)?.length).toBeGreaterThan(5);
    expect(unknownIn(page)).toEqual([]);
  });

  test("a check that can fail", () => expect(unknownIn("It takes 5.49 s, or 0.01 s.")).toEqual(["0.01 s"]));

  test("names measurements that there are", () => {
    const named = [...page.matchAll(/`npm run bench -- ([\w-]+)`/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(results.parts.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
  });
});

test("the page's picture shows the measured curves", () => {
  expect(read("docs", "performance.svg")).toBe(picture(curvesOf(results)));
});

test("results are of all measurements: every goal of the plan has its row", () => {
  const names = rowsOf(results)
    .filter(({ goal }) => goal !== undefined)
    .map(({ name }) => name);
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

describe("results of some measurements", () => {
  const machine = { cpus: 2, node: "v20" };
  const part = (name: string, ours = "1") => ({
    name,
    rows: [{ name, ours, baseline: "1", ratio: 1, isMet: true }],
  });
  const kept = { machine, parts: [part("one"), part("old"), part("two")] };
  const names = ["one", "new", "two"];

  test("take the place of their own, in the order of the measurements", () => {
    const now = { machine, parts: [part("two", "2"), part("new", "3")] };
    expect(merged(kept, now, names).parts).toEqual([part("one"), part("new", "3"), part("two", "2")]);
  });

  test("are not mixed with those of another machine; all together may be", () => {
    const other = { cpus: 4, node: "v20" };
    expect(() => merged(kept, { machine: other, parts: [part("two")] }, names)).toThrow("of another machine");
    expect(merged(kept, { machine: other, parts: names.map((name) => part(name)) }, names).machine).toBe(other);
  });
});
