import { runInNewContext } from "node:vm";
import { ScriptTarget, transpileModule } from "typescript";
import { literal, printObject, span } from "./print";
import type { JsonObject } from "../../provider/base/json";

const hostile: [reason: string, text: string][] = [
  ["nothing", ""],
  ["a double quote", 'say "hi"'],
  ["a single quote", "it's"],
  ["both quotes", `"'"'`],
  ["an end of the text", `"); process.exit(1); ("`],
  ["an interpolation", "${process.exit(1)}`"],
  ["a backslash before the quote", '\\"'],
  ["a backslash at the end", "a\\"],
  ["a line break", "a\nprocess.exit(1)\r\n\tb"],
  ["the line ends of JavaScript alone", "a\u2028process.exit(1)\u2029\u0085"],
  ["ends of comments", "*/ process.exit(1) /* // <!-- -->"],
  ["letters of the world", "Übersetzer 翻訳 मराठी 🚀"],
  ["marks of direction", "a\u202e\u2066b\u200d\ufeff"],
  ["half a character", "\ud83d \udc00"],
  ["control characters", "\u0000\u001b[2J\u007f\u009b"],
  ["a name of the prototype", "__proto__"],
];

/** The arguments that a program gives to the constructor. */
function given(code: string): string {
  const sandbox = { seen: "" };
  const script = `class Kind { constructor(name, args) { seen = JSON.stringify([name, args]); } }\n${code}`;
  runInNewContext(transpileModule(script, { compilerOptions: { target: ScriptTarget.ES2022 } }).outputText, sandbox);
  return sandbox.seen;
}

describe.each(hostile)("a text that holds %s", (_reason, text) => {
  test("comes out of a literal as it went in, from one visible line", () => {
    expect(runInNewContext(literal(text))).toBe(text);
    expect(literal(text)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  test("is a value, a key, an element and a name, and never code", () => {
    const args: JsonObject = { value: text, list: [text, { [text]: text }], ["x" + text]: { y: [text] } };
    expect(given(`new Kind(${literal(text)}, ${printObject(args)});`)).toBe(JSON.stringify([text, args]));
  });

  test("stays in its comment, and in its span of Markdown", () => {
    expect(given(`// of ${literal(text)}\nnew Kind("n", {});`)).toBe('["n",{}]');
    expect(span(text)).toMatch(/^`[^`\n\r]*`$/);
  });
});

test("a key named __proto__ is a property like any other", () => {
  const args = Object.fromEntries([["__proto__", { polluted: "yes" }]]);
  expect(given(`new Kind("n", ${printObject(args)});`)).toBe('["n",{"__proto__":{"polluted":"yes"}}]');
});

test("an expression is printed in place of its value, wherever that is", () => {
  const expressions = new Map([
    ["a.b", "1 + 1"],
    ["c", "name"],
  ]);
  const args = { a: { b: null, c: [] }, c: null, d: [{}, 1.5, true] };
  const text = "{\n  a: {\n    b: 1 + 1,\n    c: [],\n  },\n  c: name,\n  d: [{}, 1.5, true],\n}";
  expect(printObject(args, expressions)).toBe(text);
});
