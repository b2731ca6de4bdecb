import { changesBetween, replaces } from "./diff";
import { showPath, type FieldRules } from "./fields";
import { UNKNOWN, type Json, type JsonObject } from "../../base/json";
import { sameQuantity } from "../../resources/sandbox-template/quantity";
import { liveView } from "./comparison";

const rules: FieldRules = {
  name: { replaceOn: "documented" },
  image: { replaceOn: "always" },
  "resources.cpu": { replaceOn: "always", default: "500m", equal: sameQuantity },
  flag: { default: false },
  secret: { notReturned: "always" },
  command: { notReturned: "when-null" },
  spec: { onRemove: "unmanage" },
  environment: { authoritative: true },
  trigger: { equal: (a, b) => JSON.stringify(a) === JSON.stringify(b) },
  control: { providerOnly: true },
};

/** An object that has a key of its own which every object inherits. */
const own = (value: Json): JsonObject => Object.fromEntries([["__proto__", value]]);

const paths = (before: JsonObject, after: JsonObject): string[] =>
  changesBetween(rules, before, after).map(({ path }) => showPath(path));

describe("changesBetween", () => {
  test.each<[why: string, before: JsonObject, after: JsonObject, expected: string[]]>([
    ["nothing changed", { image: "a", flag: true }, { image: "a", flag: true }, []],
    ["a field without a rule of its own still is an update, never lost", { other: 1 }, { other: 2 }, ["other"]],
    ["a nested field has its path", { resources: { cpu: "1" } }, { resources: { cpu: "2" } }, ["resources.cpu"]],
    ["the same quantity in other words is no change", { resources: { cpu: "1" } }, { resources: { cpu: "1000m" } }, []],
    ["declaring the platform's default is not a change", {}, { flag: false, resources: { cpu: "500m" } }, []],
    ["removing what differs from the default is a change", { flag: true }, {}, ["flag"]],
    ["a unmanaged field is not a change", { spec: { cpu: 2, labels: { a: "b" } } }, { spec: { cpu: 2 } }, []],
    ["a unmanaged object is not a change", { spec: { cpu: 2 } }, {}, []],
    ["a change in a field that could be unmanaged counts", { spec: { cpu: 2 } }, { spec: { cpu: 3 } }, ["spec.cpu"]],
    ["the order of keys does not count", { m: { a: 1, b: { c: 1, d: 2 } } }, { m: { b: { d: 2, c: 1 }, a: 1 } }, []],
    ["the order of a list counts", { l: [1, 2] }, { l: [2, 1] }, ["l"]],
    ["an added entry of a map", { environment: { A: "1" } }, { environment: { A: "1", B: "2" } }, ["environment.B"]],
    ["a removed entry of a map", { environment: { A: "1", B: "2" } }, { environment: { A: "1" } }, ["environment.B"]],
    ["a provider-only argument never counts", { control: 1 }, { control: 2 }, []],
    ["a value not known yet may be another one", { image: "a" }, { image: UNKNOWN }, ["image"]],
    ["an unknown inside a list makes the list unknown", { l: [{ a: 1 }] }, { l: [{ a: UNKNOWN }] }, ["l"]],
    ["an unknown map counts as a whole", { environment: { A: "1" } }, { environment: UNKNOWN }, ["environment"]],
    ["a field compared as a whole is named as a whole", { trigger: { a: 1 } }, { trigger: { a: 2 } }, ["trigger"]],
    ["an empty object declares nothing", {}, { spec: {} }, []],
    ["a list in place of an object", { m: { a: 1 } }, { m: [1] }, ["m"]],
    ["an added key that all objects inherit", { m: { a: own({}) } }, { m: { a: own({ b: 1 }) } }, ["m.a.__proto__.b"]],
    ["an empty object under such a key", { l: [{}] }, { l: [own({})] }, ["l"]],
    ["the same under such a key", { m: { toString: "a" } }, { m: { toString: "a" } }, []],
  ])("%s", (_why, before, after, expected) => expect(paths(before, after)).toEqual(expected));

  test("a removed key that every object inherits is removed", () =>
    expect(changesBetween({}, { m: { toString: "a" } }, { m: {} })).toEqual([
      { path: ["m", "toString"], rule: {}, removed: true },
    ]));

  test("a key has no rule because every object inherits something under it", () =>
    expect(changesBetween(rules, {}, { constructor: 1 })).toEqual([
      { path: ["constructor"], rule: {}, removed: false },
    ]));

  test("a replacement field replaces under its contract alone", () => {
    const [name] = changesBetween(rules, { name: "a" }, { name: "b" });
    const [image] = changesBetween(rules, { image: "a" }, { image: UNKNOWN });
    const verdicts = [name, image].map(
      (change) => change && [replaces(change, "extended"), replaces(change, "documented")],
    );
    expect(verdicts).toEqual([
      [false, true],
      [true, true],
    ]);
  });

  test("a removed field says so", () => {
    expect(changesBetween(rules, { image: "a" }, {})).toMatchObject([{ path: ["image"], removed: true }]);
  });
});

describe("liveView", () => {
  const cpu = (of: string): JsonObject => ({ resources: { cpu: of } });
  const env = (environment: JsonObject): JsonObject => ({ environment });
  test.each<[why: string, declared: JsonObject, live: JsonObject, expected: JsonObject]>([
    ["a declared field shows its live value", { image: "a" }, { image: "b" }, { image: "b" }],
    [
      "an undeclared field is not shown (server defaults)",
      { spec: { cpu: 1 } },
      { spec: { cpu: 1, max: 9 }, flag: true },
      { spec: { cpu: 1 } },
    ],
    ["an equal quantity keeps the author's spelling", cpu("1"), cpu("1000m"), cpu("1")],
    ["a different quantity shows the platform's", cpu("1"), cpu("2"), cpu("2")],
    ["a field that is never returned is carried", { secret: "s" }, { secret: null }, { secret: "s" }],
    ["a field that older versions answer as null is carried", { command: "c" }, { command: null }, { command: "c" }],
    ["but a value in its place is seen", { command: "c" }, { command: "d" }, { command: "d" }],
    ["a field that the answer leaves out is carried", { image: "a" }, {}, { image: "a" }],
    ["a field that the platform has cleared is gone", { image: "a" }, { image: null }, {}],
    ["null is a default like any other", { flag: false }, { flag: null }, { flag: false }],
    [
      "an entry added to a closed map by hand is seen",
      env({ A: "1" }),
      env({ A: "1", B: "2" }),
      env({ A: "1", B: "2" }),
    ],
    ["an entry removed from a closed map by hand is seen", env({ A: "1", B: "2" }), env({ A: "1" }), env({ A: "1" })],
    [
      "a key that every object inherits is left out by the answer like any other",
      { m: own({ a: 1 }), environment: { toString: "1" } },
      { m: {}, environment: {} },
      { m: own({ a: 1 }), environment: {} },
    ],
  ])("%s", (_why, declared, live, expected) => expect(liveView(rules, declared, live)).toEqual(expected));
});

test("an unknown object counts as the most consequential change in it", () => {
  const inRegions = { "config.region": { replaceOn: "always" } } as const;
  const [change] = changesBetween(inRegions, { config: { region: "a" } }, { config: UNKNOWN });
  expect(change?.rule.replaceOn).toBe("always");
});
