import { UNKNOWN, type JsonObject } from "../../base/json";
import { deprecatedIn } from "./deprecated";
import { list, object, record, text } from "./types";

const old = { type: text(), description: "The old way.", deprecationMessage: "Use `now`." };
const fields = {
  old,
  now: { type: text(), description: "The new way." },
  spec: { type: object({ old }), description: "An object." },
  rules: { type: list(object({ old })), description: "A list." },
  named: { type: record(object({ old })), description: "A map." },
};

test.each<[reason: string, inputs: JsonObject, told: string[]]>([
  ["nothing of what is deprecated is given", { now: "a", spec: {}, rules: [{}] }, []],
  ["a field", { old: "a" }, ["old"]],
  ["one whose value is not known yet", { old: UNKNOWN }, ["old"]],
  ["inside an object", { spec: { old: "a" } }, ["spec.old"]],
  ["inside a list", { rules: [{}, { old: "a" }] }, ["rules[1].old"]],
  ["inside a map", { named: { one: { old: "a" } } }, ["named.one.old"]],
  ["of another type than the field's: another check says so", { spec: "a", rules: {}, named: [] }, []],
])("%s", (_reason, inputs, told) => {
  expect(deprecatedIn(fields, inputs)).toEqual(told.map((path) => `${path} is deprecated: Use \`now\`.`));
});
