import fc from "fast-check";
import { isParsedJson, UNKNOWN, type Json, type JsonObject } from "../base/json";
import { marshal } from "../base/engine-format";
import { unmarshal } from "./values";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const secret = (value: Json): JsonObject => ({ [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", value });
const output = (of: JsonObject): JsonObject => ({ [SIGNATURE]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...of });

/** As a message has it: without -0, which JSON does not know. */
function jsonOf(value: unknown): Json {
  const parsed: unknown = JSON.parse(JSON.stringify(value));
  if (!isParsedJson(parsed)) throw new Error("not JSON");
  return parsed;
}

describe("opened", () => {
  test.each<[reason: string, given: JsonObject, values: JsonObject, secrets: string[]]>([
    ["plain ones stay", { a: 1, b: [true, null, "x"], c: { d: "" } }, { a: 1, b: [true, null, "x"], c: { d: "" } }, []],
    ["a secret is its value", { a: secret("k"), b: "p" }, { a: "k", b: "p" }, ["a"]],
    ["a secret inside makes its property secret", { a: { b: [1, secret(2)] } }, { a: { b: [1, 2] } }, ["a"]],
    ["a secret in a secret", { a: secret({ b: secret("k") }) }, { a: { b: "k" } }, ["a"]],
    ["an unknown secret", { a: secret(UNKNOWN) }, { a: UNKNOWN }, ["a"]],
    ["an unknown of a schema's type", { a: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7" }, { a: UNKNOWN }, []],
    ["an unknown list", { a: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2" }, { a: UNKNOWN }, []],
    ["an output with a value", { a: output({ value: "v" }) }, { a: "v" }, []],
    ["a secret output", { a: output({ value: "v", secret: true }) }, { a: "v" }, ["a"]],
    ["an output without a value is not known", { a: output({ secret: true }) }, { a: UNKNOWN }, ["a"]],
    ["the code of a dynamic resource is left behind", { __provider: "exports...", a: 1 }, { a: 1 }, []],
  ])("%s", (_reason, given, values, secrets) => expect(unmarshal(given)).toEqual({ values, secrets }));

  test("nothing is no properties", () => expect(unmarshal(undefined)).toEqual({ values: {}, secrets: [] }));
});

test("what was sealed opens to what it was, and only the named properties are secret", () => {
  const names: fc.Arbitrary<string> = fc.constantFrom("a", "b", "c", "d");
  const jsonObject = fc.dictionary(
    names,
    fc.jsonValue({ maxDepth: 3 }).map((value) => jsonOf(value)),
  );
  fc.assert(
    fc.property(jsonObject, fc.uniqueArray(names), (values, secrets) => {
      const sealed = marshal(values, secrets);
      const present = Object.keys(values).filter((name) => secrets.includes(name));
      expect([...unmarshal(sealed).secrets].sort()).toEqual(present.sort());
      expect(unmarshal(sealed).values).toEqual(values);
    }),
  );
});

test("a property without a value is not sealed: it would become one", () => {
  expect(marshal({ a: undefined, b: 1 }, ["a", "b"])).toEqual({ b: secret(1) });
});
