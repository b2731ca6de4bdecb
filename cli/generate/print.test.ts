import fc from "fast-check";
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { ScriptTarget, transpileModule } from "typescript";
import { literal, printResource, span, WIDTH } from "./print";
import type { Json, JsonObject } from "../../provider/base/json";

const PRETTIER = resolve(__dirname, "../../node_modules/.bin/prettier");
const SEED = Number(process.env["FUZZ_SEED"] ?? 1);
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 400);

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
    for (const ascii of [false, true]) {
      expect(runInNewContext(literal(text, ascii))).toBe(text);
      expect(literal(text, ascii)).not.toMatch(ascii ? /[^\x20-\x7e]/ : /[\p{C}\p{Zl}\p{Zp}]/u);
    }
  });

  test("is a value, a key, an element and a name, and never code", () => {
    const args: JsonObject = { value: text, list: [text, { [text]: text }], ["x" + text]: { y: [text] } };
    expect(given(printResource("const v = ", "Kind", text, args))).toBe(JSON.stringify([text, args]));
  });

  test("stays in its comment, and in its span of Markdown", () => {
    const comments = new Map([
      ["", [`of ${literal(text)}`]],
      ["a", [span(text)]],
    ]);
    expect(given(printResource("const v = ", "Kind", "n", { a: { b: 1 } }, { comments }))).toBe('["n",{"a":{"b":1}}]');
    expect(span(text)).toMatch(/^`[^`\n\r]*`$/);
  });
});

test("a key named __proto__ is a property like any other", () => {
  const args = Object.fromEntries([["__proto__", { polluted: "yes" }]]);
  expect(given(printResource("const v = ", "Kind", "n", args))).toBe('["n",{"__proto__":{"polluted":"yes"}}]');
});

// Around the edge of the line, where prettier's decisions are.
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.integer({ min: 60, max: WIDTH }).map((length) => "x".repeat(length)),
  fc
    .tuple(fc.integer({ min: 20, max: WIDTH }), fc.constantFrom("ü", "語", "🚀", '"', "'"))
    .map(([n, c]) => c + "y".repeat(n)),
);
const key = fc.oneof(
  fc.constantFrom("cpu", "name", "image", "matchHosts", "x-api-key", "1", "a.b", "ключ", "if", "__proto__"),
  fc.stringMatching(/^[a-z]{1,12}$/),
);
const scalar: fc.Arbitrary<Json> = fc.oneof(
  text,
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { value } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    tie("object"),
    fc.array(text, { maxLength: 5 }),
    fc.array(tie("object"), { maxLength: 3 }),
  ),
  object: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
}));

test("prettier has nothing to change, whatever is printed", () => {
  const cases = fc.sample(
    fc.record({ args: fc.dictionary(key, value, { maxKeys: 6 }), name: fc.stringMatching(/^[a-z][a-z-]{0,100}$/) }),
    { numRuns: RUNS, seed: SEED },
  );
  const printed = cases.map(({ args, name }, index) => {
    const head = `${index % 2 ? "export " : ""}const ${name.replaceAll("-", "").slice(0, 70)}Template = `;
    return printResource(head, "SandboxTemplate", name, { ...args }, { comments: new Map([["", ["a comment"]]]) });
  });
  // As one file: most of the time of a file is prettier's start.
  const input = printed.join("\n");
  const options = [
    "--no-config",
    "--print-width",
    String(WIDTH),
    "--ignore-path",
    "none",
    "--stdin-filepath",
    "printed.ts",
  ];
  const { status, stdout, stderr } = spawnSync(PRETTIER, options, { encoding: "utf8", input });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toBe(input);
});
