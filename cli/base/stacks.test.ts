import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { newFolder } from "../../tests/support/new-folder";
import { inParallel, matching, parallelOf, stacksOf } from "./stacks";

const STACKS = ["acme/shop/dev", "acme/shop/prod-eu", "acme/shop/prod-us", "acme/desk/prod-eu", "acme/desk/prod.eu"];

/** Pattern, why, and the stacks that it means. */
const ROWS: [string, string, string[]][] = [
  ["prod-*", "a name in every project", ["acme/shop/prod-eu", "acme/shop/prod-us", "acme/desk/prod-eu"]],
  ["prod", "a name is whole: not its beginning", []],
  ["*", "every stack", STACKS],
  ["shop/*", "a project", ["acme/shop/dev", "acme/shop/prod-eu", "acme/shop/prod-us"]],
  ["acme/desk/prod-eu", "one, by its whole name", ["acme/desk/prod-eu"]],
  ["acme/*", "two parts are project and stack: not an organization", []],
  ["*d*-e*", "several stars", ["acme/shop/prod-eu", "acme/desk/prod-eu"]],
  ["prod.eu", "a dot is a dot", ["acme/desk/prod.eu"]],
  ["prod-[eu]*", "no other signs", []],
  ["PROD-EU", "names have their case", []],
];

test.each(ROWS)("%s: %s", (pattern, _why, stacks) => {
  if (stacks.length > 0) expect(matching(STACKS, [pattern])).toEqual(stacks);
  else
    expect(() => matching(STACKS, [pattern])).toThrow(`no stack matches "${pattern}": the stacks are acme/shop/dev, `);
});

test("several patterns find each stack once, in the order of the stacks", () => {
  expect(matching(["a", "b", "c"], ["c", "*", "a"])).toEqual(["a", "b", "c"]);
});

test("what prints no list of stacks is an error that says what to do, and shows nothing of it", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "pulumi"), "#!/bin/sh\necho 'Welcome! The token is s3cr3t'\n", { mode: 0o755 });
  const environment = { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` };
  await expect(stacksOf("project", { folder, environment })).rejects.toThrow(
    /^the stacks could not be listed\. The engine says: `pulumi stack ls --json` printed something else: check which `pulumi` is on PATH$/,
  );
});

test("where nothing matches, the error names what there is, and not hundreds", () => {
  expect(() => matching([], ["*"])).toThrow('no stack matches "*": there are none');
  const many = Array.from({ length: 300 }, (_, n) => `s${n}`);
  expect(() => matching(many, ["x", "y"])).toThrow(
    /^no stack matches "x", "y": the stacks are s0, .*, s9 and 290 more$/,
  );
});

test.each(["0", "-1", "1.5", "65", "many", ""])("--parallel %j is refused", (text) => {
  expect(() => parallelOf(text)).toThrow("a whole number from 1 to 64");
});

test("never more at a time than allowed, begun in order, with the results in the order of the items", async () => {
  const begun: number[] = [];
  const state = { underWay: 0, most: 0 };
  const results = await inParallel([5, 1, 4, 2, 3], 2, async (turns) => {
    begun.push(turns);
    state.underWay += 1;
    state.most = Math.max(state.most, state.underWay);
    for (let left = turns; left > 0; left--) await turn();
    state.underWay -= 1;
    return turns * 10;
  });
  expect(begun).toEqual([5, 1, 4, 2, 3]);
  expect(state).toEqual({ underWay: 0, most: 2 });
  expect(results).toEqual([50, 10, 40, 20, 30]);
});

test("of nothing, nothing; and a failure of one is the failure of all", async () => {
  expect(await inParallel([], 4, () => Promise.resolve(1))).toEqual([]);
  const failing = inParallel([1, 2], 1, (item) =>
    item === 2 ? Promise.reject(new Error("two")) : Promise.resolve(item),
  );
  await expect(failing).rejects.toThrow("two");
});
