import { matching, parallelOf } from "./stacks";

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
