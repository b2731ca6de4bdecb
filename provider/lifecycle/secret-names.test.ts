import { UNKNOWN } from "../base/json";
import type { FieldRules } from "./fields";
import { readSecretLine, secretChanges, secretLines } from "./secret-names";

const rules: FieldRules = {
  secrets: { secret: true, closed: true },
  clientSecret: { secret: true },
  apiKey: { secret: true, control: true },
  name: {},
};
const told = (before: object, after: object): string[] =>
  secretLines(secretChanges(rules, { ...before }, { ...after }));

test.each<[why: string, before: object, after: object, lines: string[]]>([
  ["nothing changed", { secrets: { A: "1" }, name: "a" }, { secrets: { A: "1" }, name: "b" }, []],
  [
    "changed, added and removed names, in order",
    { secrets: { OLD: "1", A: "1" } },
    { secrets: { NEW: "1", A: "2" } },
    ["secrets: A changes, NEW is new, OLD is removed"],
  ],
  ["a new resource", {}, { secrets: { A: "1" } }, ["secrets: A is new"]],
  ["the whole field goes", { secrets: { A: "1" } }, {}, ["secrets: A is removed"]],
  ["a field that is one secret", { clientSecret: "1" }, { clientSecret: "2" }, ["clientSecret: changes"]],
  [
    "a value that is not known yet may be the same",
    { secrets: { A: "1" } },
    { secrets: { A: UNKNOWN } },
    ["secrets: A is known at up"],
  ],
  [
    "of a field that is not known as a whole, no name is",
    { secrets: { A: "1" } },
    { secrets: UNKNOWN },
    ["secrets: is known at up"],
  ],
  ["an argument to the provider is no part of the object", { apiKey: "1" }, { apiKey: "2" }, []],
])("%s", (_why, before, after, lines) => expect(told(before, after)).toEqual(lines));

test("a value is never in a line", () => {
  const lines = told(
    { secrets: { A: "canary-1" }, clientSecret: "canary-2" },
    { secrets: { A: "canary-3" }, clientSecret: "canary-4" },
  );
  expect(lines.join("\n")).not.toContain("canary");
});

test("a line can be read back, whatever the names are", () => {
  const names = ["PLAIN", "with space", 'quo"te', "back\\slash", "is new", "A changes, B", "line\nend", "a.b-c", ""];
  const changes = secretChanges(
    rules,
    { clientSecret: "1" },
    { secrets: Object.fromEntries(names.map((name) => [name, "1"])) },
  );
  expect(secretLines(changes).flatMap((line) => readSecretLine(line) ?? [])).toEqual(changes);
});

test.each([
  "",
  "secrets:",
  "secrets: ",
  "secrets: A",
  "secrets: A becomes B",
  "a note: which changes nothing",
  "secrets: A changes and more",
])("any other line is none: %j", (line) => expect(readSecretLine(line)).toBeUndefined());
