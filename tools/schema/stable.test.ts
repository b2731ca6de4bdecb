import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { version } from "../../provider/base/version";

const read = (file: string): string => readFileSync(join(__dirname, "..", "..", file), "utf8");
const parse = (text: string): unknown => JSON.parse(text);

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Texts that no program names. */
const FREE = ["description", "displayName", "version", "keywords", "readme", "deprecationMessage"];
const isFree = (key: string, value: unknown): boolean => FREE.includes(key) && !isObject(value);

/** What the released schema says and today's does not. New members are no break, except those that change a property. */
function breaks(before: unknown, after: unknown, path: readonly string[] = []): string[] {
  const where = path.join(" ");
  if (isObject(before) && isObject(after)) {
    const isProperty = typeof before["type"] === "string" || typeof before["$ref"] === "string";
    const added = Object.keys(after).filter((key) => !(key in before) && !isFree(key, after[key]));
    return [
      ...(isProperty ? added.filter((key) => key !== "secret").map((key) => `${where} now has ${key}`) : []),
      ...added.flatMap((key) => (Array.isArray(after[key]) ? listBreaks([], after[key], [...path, key]) : [])),
      ...Object.entries(before).flatMap(([key, value]) => {
        if (isFree(key, value)) return [];
        return key in after || key.startsWith("required")
          ? breaks(value, after[key], [...path, key])
          : [`${where} ${key} is gone`];
      }),
    ];
  }
  if (Array.isArray(before)) return listBreaks(before, listOf(after), path);
  return isDeepStrictEqual(before, after)
    ? []
    : [`${where} was ${JSON.stringify(before)}, is ${JSON.stringify(after)}`];
}

/** An argument must not become required, an output must not become optional; of a type, which may be both, neither. */
function listBreaks(before: readonly unknown[], after: readonly unknown[], path: readonly string[]): string[] {
  const [parent, key] = path.slice(-2);
  const isGiven = key === "requiredInputs" || (key === "required" && parent === "inputs");
  const isShown = key === "required" && path[0] !== "types" && !isGiven;
  const added = isShown ? [] : after.filter((each) => !before.some((one) => isDeepStrictEqual(one, each)));
  const lost = isGiven ? [] : before.filter((each) => !after.some((one) => isDeepStrictEqual(one, each)));
  const say = (what: string) => (each: unknown) => `${path.join(" ")} ${what} ${JSON.stringify(each)}`;
  return [...added.map(say("gained")), ...lost.map(say("lost"))];
}

const [released, current] = [read("tools/schema/released.json"), read("plugin/schema.json")];
const major = (text: string): number => Number(text.split(".")[0]);

// What counts as a break is in docs/support.md; one that is meant needs a new major version, whose changelog names it.
test("programs for the schema of the last release work with today's", () => {
  const [, releasedVersion = ""] = /"version": "(.*)"/.exec(released) ?? [];
  if (major(version()) > major(releasedVersion)) return;
  expect(breaks(parse(released), parse(current))).toEqual([]);
});

const text = { type: "string" };
const small = {
  name: "p",
  types: { T: { type: "object", properties: { a: text }, required: ["a"] } },
  resources: {
    R: {
      inputProperties: { a: text, b: text },
      requiredInputs: ["a"],
      properties: { a: text, s: { ...text, secret: true } },
      required: ["a"],
    },
  },
  functions: { f: { inputs: { properties: { a: text } }, outputs: { properties: { o: text }, required: ["o"] } } },
};
/** The small schema with one text of it replaced. */
const changed = (from: string, to: string): unknown => {
  expect(JSON.stringify(small)).toContain(from);
  return parse(JSON.stringify(small).replace(from, to));
};

test.each([
  ["a name in imports and tokens", '"name":"p"', '"name":"q"', "name was"],
  ["a resource", '"R":', '"N":', "resources R is gone"],
  ["a function", '"f":', '"g":', "functions f is gone"],
  ["a type", '"T":', '"U":', "types T is gone"],
  ["an argument", ',"b":{"type":"string"}', "", "b is gone"],
  ["another type", '"b":{"type":"string"}', '"b":{"type":"number"}', "b type was"],
  ["more types", '"b":{"type":"string"', '"b":{"type":"string","oneOf":[{"type":"string"}]', "now has oneOf"],
  ["an argument that replaces", '"b":{"type":"string"', '"b":{"type":"string","willReplaceOnChanges":true', "now has"],
  ["a secret in the open", ',"secret":true', "", "s secret is gone"],
  ["a required argument", '"requiredInputs":["a"]', '"requiredInputs":["a","b"]', 'gained "b"'],
  ["a required argument of a function", '"inputs":{', '"inputs":{"required":["a"],', 'gained "a"'],
  ["an output that may be missing", '"required":["a"]}},"functions"', '"required":[]}},"functions"', 'lost "a"'],
  ["an output of a function without a promise", ',"required":["o"]', "", 'lost "o"'],
  ["a type that demands more", '"required":["a"]}},"resources"', '"required":["a","n"]}},"resources"', 'gained "n"'],
])("breaks: %s", (_what, from, to, problem) => {
  expect(breaks(small, changed(from, to)).join("\n")).toContain(problem);
});

test.each([
  ["a new resource", '"R":', '"N":{},"R":'],
  ["a new argument", '"b":{', '"n":{"type":"string"},"b":{'],
  ["an argument that is no longer required", '"requiredInputs":["a"]', '"requiredInputs":[]'],
  ["an output that is now always there", '"required":["a"]}},"functions"', '"required":["a","s"]}},"functions"'],
  ["a description", '"b":{', '"b":{"description":"Better.",'],
  ["a deprecation", '"b":{', '"b":{"deprecationMessage":"Use `a`.",'],
  ["an output that becomes secret", '"o":{', '"o":{"secret":true,'],
])("passes: %s", (_what, from, to) => expect(breaks(small, changed(from, to))).toEqual([]));
