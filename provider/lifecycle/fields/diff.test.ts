import { changesBetween, replaces } from "./diff";
import { showPath, type FieldRules } from "./fields";
import { UNKNOWN, type JsonObject } from "../../base/json";
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

const paths = (before: JsonObject, after: JsonObject): string[] =>
  changesBetween(rules, before, after).map(({ path }) => showPath(path));

describe("changesBetween", () => {
  test.each<{ why: string; before: JsonObject; after: JsonObject; expected: string[] }>([
    { why: "nothing changed", before: { image: "a", flag: true }, after: { image: "a", flag: true }, expected: [] },
    {
      why: "a field without a rule of its own still is an update, never lost",
      before: { other: 1 },
      after: { other: 2 },
      expected: ["other"],
    },
    {
      why: "a nested field is named by its path",
      before: { resources: { cpu: "1" } },
      after: { resources: { cpu: "2" } },
      expected: ["resources.cpu"],
    },
    {
      why: "another spelling of the same quantity is not a change",
      before: { resources: { cpu: "1" } },
      after: { resources: { cpu: "1000m" } },
      expected: [],
    },
    {
      why: "declaring the platform's default is not a change",
      before: {},
      after: { flag: false, resources: { cpu: "500m" } },
      expected: [],
    },
    {
      why: "removing what differs from the default is a change",
      before: { flag: true },
      after: {},
      expected: ["flag"],
    },
    {
      why: "a unmanaged field is not a change",
      before: { spec: { cpu: 2, labels: { a: "b" } } },
      after: { spec: { cpu: 2 } },
      expected: [],
    },
    { why: "a unmanaged object is not a change", before: { spec: { cpu: 2 } }, after: {}, expected: [] },
    {
      why: "a change in a field that could be unmanaged counts",
      before: { spec: { cpu: 2 } },
      after: { spec: { cpu: 3 } },
      expected: ["spec.cpu"],
    },
    {
      why: "the order of keys does not count",
      before: { m: { a: 1, b: { c: 1, d: 2 } } },
      after: { m: { b: { d: 2, c: 1 }, a: 1 } },
      expected: [],
    },
    { why: "the order of a list counts", before: { l: [1, 2] }, after: { l: [2, 1] }, expected: ["l"] },
    {
      why: "an added entry of a map",
      before: { environment: { A: "1" } },
      after: { environment: { A: "1", B: "2" } },
      expected: ["environment.B"],
    },
    {
      why: "a removed entry of a map",
      before: { environment: { A: "1", B: "2" } },
      after: { environment: { A: "1" } },
      expected: ["environment.B"],
    },
    { why: "a provider-only argument never counts", before: { control: 1 }, after: { control: 2 }, expected: [] },
    {
      why: "a value not known yet may be another one",
      before: { image: "a" },
      after: { image: UNKNOWN },
      expected: ["image"],
    },
    {
      why: "an unknown inside a list makes the list unknown",
      before: { l: [{ a: 1 }] },
      after: { l: [{ a: UNKNOWN }] },
      expected: ["l"],
    },
    {
      why: "an unknown map counts as a whole",
      before: { environment: { A: "1" } },
      after: { environment: UNKNOWN },
      expected: ["environment"],
    },
    {
      why: "a field compared as a whole is named as a whole",
      before: { trigger: { a: 1 } },
      after: { trigger: { a: 2 } },
      expected: ["trigger"],
    },
    { why: "an empty object declares nothing", before: {}, after: { spec: {} }, expected: [] },
    { why: "a list in place of an object", before: { m: { a: 1 } }, after: { m: [1] }, expected: ["m"] },
  ])("$why", ({ before, after, expected }) => expect(paths(before, after)).toEqual(expected));

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
  test.each<{ why: string; declared: JsonObject; live: JsonObject; expected: JsonObject }>([
    {
      why: "a declared field shows its live value",
      declared: { image: "a" },
      live: { image: "b" },
      expected: { image: "b" },
    },
    {
      why: "an undeclared field is not shown (server defaults)",
      declared: { spec: { cpu: 1 } },
      live: { spec: { cpu: 1, max: 9 }, flag: true },
      expected: { spec: { cpu: 1 } },
    },
    {
      why: "an equal quantity keeps the author's spelling",
      declared: { resources: { cpu: "1" } },
      live: { resources: { cpu: "1000m" } },
      expected: { resources: { cpu: "1" } },
    },
    {
      why: "a different quantity shows the platform's",
      declared: { resources: { cpu: "1" } },
      live: { resources: { cpu: "2" } },
      expected: { resources: { cpu: "2" } },
    },
    {
      why: "a field that is never returned is carried",
      declared: { secret: "s" },
      live: { secret: null },
      expected: { secret: "s" },
    },
    {
      why: "a field that older versions answer as null is carried",
      declared: { command: "c" },
      live: { command: null },
      expected: { command: "c" },
    },
    {
      why: "but a value in its place is seen",
      declared: { command: "c" },
      live: { command: "d" },
      expected: { command: "d" },
    },
    {
      why: "a field that the answer leaves out is carried",
      declared: { image: "a" },
      live: {},
      expected: { image: "a" },
    },
    {
      why: "a field that the platform has cleared is gone",
      declared: { image: "a" },
      live: { image: null },
      expected: {},
    },
    {
      why: "null is a default like any other",
      declared: { flag: false },
      live: { flag: null },
      expected: { flag: false },
    },
    {
      why: "an entry added to a closed map by hand is seen",
      declared: { environment: { A: "1" } },
      live: { environment: { A: "1", B: "2" } },
      expected: { environment: { A: "1", B: "2" } },
    },
    {
      why: "an entry removed from a closed map by hand is seen",
      declared: { environment: { A: "1", B: "2" } },
      live: { environment: { A: "1" } },
      expected: { environment: { A: "1" } },
    },
  ])("$why", ({ declared, live, expected }) => expect(liveView(rules, declared, live)).toEqual(expected));
});
