import { UNKNOWN } from "../../base/json";
import type { FieldRules } from "./fields";
import { safeText } from "../../base/masker";
import { readSecretData, secretChanges, secretData, secretLines } from "./secret-names";

const rules: FieldRules = {
  secrets: { secret: true, authoritative: true },
  clientSecret: { secret: true },
  runConfig: { secret: true },
  apiKey: { secret: true, providerOnly: true },
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
    ["changed secrets: A; new: NEW; removed: OLD"],
  ],
  ["a new resource: all in one line", {}, { secrets: { B: "1", A: "1" } }, ["new secrets: A, B"]],
  ["a name that every object inherits", {}, { secrets: { toString: "1" } }, ["new secrets: toString"]],
  ["an empty object that was not there before equals none", {}, { runConfig: { envVars: {} } }, []],
  ["an empty object goes", { runConfig: { user: "a", envVars: {} } }, { runConfig: { user: "a" } }, []],
  ["the whole field goes", { secrets: { A: "1" } }, {}, ["removed secrets: A"]],
  ["a field that is one secret", { clientSecret: "1" }, { clientSecret: "2" }, ["clientSecret: changed"]],
  [
    "a value that is not known yet may be the same",
    { secrets: { A: "1" } },
    { secrets: { A: UNKNOWN } },
    ["secrets known at up: A"],
  ],
  ["of an unknown field, no name is", { secrets: { A: "1" } }, { secrets: UNKNOWN }, ["secrets: known at up"]],
  ["an argument to the provider is no part of the object", { apiKey: "1" }, { apiKey: "2" }, []],
])("%s", (_why, before, after, lines) => expect(told(before, after)).toEqual(lines));

test("what differs reaches a tool as data, whatever the names are", () => {
  const names = ["PLAIN", "with space", 'quo"te', "back\\slash", "new", "A; changed: B", "line\nend", "<{%fg 1%}>", ""];
  const changes = secretChanges(
    rules,
    { clientSecret: "1" },
    { secrets: Object.fromEntries(names.map((name) => [name, "1"])) },
  );
  const data = secretData(changes);
  expect(readSecretData(safeText(data))).toEqual(changes);
  expect(data).not.toContain("<");
});

test.each([
  "",
  "secrets: A",
  "[]",
  "{}",
  '{"secretChanges":[],"more":"canary"}',
  '{"secretChanges":[{"field":"secrets","how":"lost"}]}',
  "null",
])("any other line is none: %j", (line) => expect(readSecretData(line)).toBeUndefined());
