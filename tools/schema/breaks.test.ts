import { readFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "../generate/markdown";
import { breaksOf, BREAKS, showBreak, unmeant } from "./breaks";
import { Schema } from "./shape";

const text = { type: "string" };
const T = "#/types/p:index:";

/** A small schema, with some parts replaced. */
function schema(parts: Record<string, unknown> = {}): Schema {
  return Schema.parse({
    name: "p",
    version: "1.2.3",
    meta: { moduleFormat: "(.*)" },
    config: { variables: { key: text } },
    provider: { inputProperties: { key: text } },
    types: {
      "p:index:Both": { properties: { a: text, b: text }, required: ["a"] },
      "p:index:Item": { properties: { a: text, b: text }, required: ["a"] },
    },
    resources: { "p:index:R": resource() },
    functions: { "p:index:f": called() },
    language: { python: { packageName: "pulumi_p" }, go: { importBasePath: "example.com/p" } },
    ...parts,
  });
}

const resource = (more: Record<string, unknown> = {}) => ({
  inputProperties: { a: text, b: text, both: { $ref: `${T}Both` } },
  requiredInputs: ["a"],
  properties: { a: text, b: text, s: { ...text, secret: true }, both: { $ref: `${T}Both` } },
  required: ["a", "s"],
  ...more,
});
const called = (more: Record<string, unknown> = {}) => ({
  inputs: { properties: { a: text }, required: [] },
  outputs: { properties: { item: { $ref: `${T}Item` } }, required: ["item"] },
  ...more,
});
const ofResource = (more: Record<string, unknown>) => ({ resources: { "p:index:R": resource(more) } });
const ofInputs = (more: Record<string, unknown>, requiredInputs = ["a"]) =>
  ofResource({ inputProperties: { ...resource().inputProperties, ...more }, requiredInputs });
const ofOutputs = (more: Record<string, unknown>, required = ["a", "s"]) =>
  ofResource({ properties: { ...resource().properties, ...more }, required });
const ofFunction = (more: Record<string, unknown>) => ({ functions: { "p:index:f": called(more) } });
const item = { "p:index:Item": { properties: { a: text, b: text }, required: ["a"] } };
const both = { "p:index:Both": { properties: { a: text, b: text }, required: ["a"] } };

test.each<[reason: string, parts: Record<string, unknown>, about: string, problem: string]>([
  [
    "imports name the Python package",
    { language: { ...schema().language, python: { packageName: "x" } } },
    "language.python.packageName",
    'was "pulumi_p"',
  ],
  [
    "imports name the Go module",
    { language: { ...schema().language, go: { importBasePath: "x" } } },
    "language.go.importBasePath",
    "example.com/p",
  ],
  ["every token begins with the name", { name: "q" }, "name", 'is "q"'],
  ["a class would be gone", { resources: {} }, "R", "gone from the resources"],
  ["a token in state would mean nothing", { resources: { "p:other:R": resource() } }, "R", "p:index:R is gone"],
  ["a function would be gone", { functions: {} }, "f", "gone from the functions"],
  ["a class of arguments would be gone", { types: both }, "Item", "gone from the types"],
  ["a setting would be unknown", { config: { variables: {} } }, "config.key", "key is gone"],
  [
    "an argument of the provider would be unknown",
    { provider: { inputProperties: {} } },
    "Provider.key",
    "key is gone",
  ],
  [
    "an argument would be unknown",
    ofResource({ inputProperties: { a: text, both: { $ref: `${T}Both` } } }),
    "R.b",
    "inputs: b is gone",
  ],
  [
    "an output would be gone",
    ofResource({ properties: { a: text, s: { ...text, secret: true }, both: { $ref: `${T}Both` } } }),
    "R.b",
    "outputs: b is gone",
  ],
  ["a program without it would be refused", ofResource({ requiredInputs: ["a", "b"] }), "R.b", "b is now required"],
  ["a new argument may not be required either", ofInputs({ n: text }, ["a", "n"]), "R.n", "n is now required"],
  ["a typed program does not expect an empty output", ofResource({ required: ["s"] }), "R.a", "a may now be missing"],
  [
    "a list is not a text",
    ofInputs({ b: { type: "array", items: text } }),
    "R.b",
    'was {"type":"string"} and is {"type":"array"',
  ],
  [
    "another text inside a list",
    ofFunction({ inputs: { properties: { a: { type: "array", items: text } } } }),
    "f.a",
    "a was",
  ],
  [
    "more types than before: compiled programs name one",
    ofInputs({ b: { oneOf: [text, { type: "number" }] } }),
    "R.b",
    "oneOf",
  ],
  ["a secret would be in the open", ofOutputs({ s: text }), "R.s", "no longer secret"],
  [
    "a function would refuse a call",
    ofFunction({ inputs: { properties: { a: text }, required: ["a"] } }),
    "f.a",
    "a is now required",
  ],
  [
    "a function's result may be missing",
    ofFunction({ outputs: { properties: { item: { $ref: `${T}Item` } } } }),
    "f.item",
    "may now be missing",
  ],
  [
    "a type of arguments demands more",
    { types: { ...item, "p:index:Both": { properties: { a: text, b: text }, required: ["a", "b"] } } },
    "Both.b",
    "b is now required",
  ],
  [
    "a type of arguments loses a property",
    { types: { ...item, "p:index:Both": { properties: { a: text }, required: ["a"] } } },
    "Both.b",
    "b is gone",
  ],
  [
    "a type of outputs promises less",
    { types: { ...both, "p:index:Item": { properties: { a: text, b: text } } } },
    "Item.a",
    "a may now be missing",
  ],
])("breaks: %s", (_reason, parts, about, problem) => {
  const breaks = breaksOf(schema(), schema(parts));
  expect(breaks.map((each) => each.about)).toEqual([about]);
  expect(breaks.map(showBreak).join("\n")).toContain(problem);
});

test.each<[reason: string, parts: Record<string, unknown>]>([
  ["nothing changed", {}],
  ["a new version", { version: "9.0.0" }],
  ["a new resource", { resources: { "p:index:R": resource(), "p:index:N": resource() } }],
  ["a new function", { functions: { "p:index:f": called(), "p:index:g": called() } }],
  ["a new optional argument", ofInputs({ n: text })],
  ["a new output, always there", ofOutputs({ n: text }, ["a", "s", "n"])],
  ["an argument is no longer required", ofResource({ requiredInputs: [] })],
  ["an output is now always there", ofResource({ required: ["a", "s", "b"] })],
  ["another description", ofInputs({ b: { ...text, description: "Better." } })],
  ["an argument is deprecated: it works as before", ofInputs({ b: { ...text, deprecationMessage: "Use `a`." } })],
  ["an output becomes secret: programs treat every output alike", ofOutputs({ b: { ...text, secret: true } })],
  [
    "a type that is only shown promises more",
    { types: { ...both, "p:index:Item": { properties: { a: text, b: text }, required: ["a", "b"] } } },
  ],
])("passes: %s", (_reason, parts) => expect(breaksOf(schema(), schema(parts))).toEqual([]));

const CHANGELOG = "# Changelog\n\n## 2.0.0\n\n- `R.b` is now required.\n\n## 1.3.0\n\n- `R.a` is not required.\n";

test.each<[reason: string, version: string, left: string[]]>([
  ["a new major version means what its section names", "2.0.0", ["R.a"]],
  ["a minor version means nothing, whatever it names", "1.3.0", ["R.a", "R.b"]],
  ["a major version without a section means nothing", "3.0.0", ["R.a", "R.b"]],
])("%s", (_reason, version, left) => {
  const parts = ofResource({ requiredInputs: ["a", "b"], required: ["s"] });
  const breaks = breaksOf(schema(), schema({ version, ...parts }));
  const unsaid = unmeant(breaks, schema(), { version, changelog: CHANGELOG });
  expect(unsaid.map(({ about }) => about).sort()).toEqual(left);
});

test("docs/support.md has the table of what counts as a break", () => {
  const page = readFileSync(join(__dirname, "..", "..", "docs", "support.md"), "utf8");
  const rows = Object.values(BREAKS).map(({ what, remedy }) => [`${capital(what)}.`, remedy]);
  expect(page).toContain(markdownTable([["A break", "Without it"], ...rows]));
});

const capital = (what: string): string => what.charAt(0).toUpperCase() + what.slice(1);
