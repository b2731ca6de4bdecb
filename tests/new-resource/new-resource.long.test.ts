import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Checkout, filesBelow } from "./checkout";
import { ADDITIONS } from "./lines";

const WEBHOOK = join(__dirname, "webhook");
const ROOT = join(__dirname, "..", "..");
const MINUTES = 60_000;

let checkout: Checkout;
let before: ReadonlyMap<string, string>;
beforeAll(() => {
  checkout = Checkout.make();
  before = checkout.files();
  checkout.add(WEBHOOK, ADDITIONS);
});
afterAll(() => {
  checkout.remove();
});

/** The files that changed. */
function changed(since: ReadonlyMap<string, string>): string[] {
  return [...checkout.files()].filter(([file, text]) => since.get(file) !== text).map(([file]) => file);
}

/** A place to touch: a file, or the folder of a resource. */
const placeOf = (file: string): string => /^provider\/resources\/[^/]+(?=\/)/.exec(file)?.[0] ?? file;

const linesOf = (text: string): number => text.split("\n").length - 1;

const succeeded = (output: string) => ({ code: 0, output });

test("a new resource costs seven places, as docs/internals/adding-a-resource.md says", () => {
  const places = [...new Set(changed(before).map(placeOf))].sort();
  expect(places).toEqual([
    "README.md",
    "emulator/routes/index.ts",
    "emulator/routes/webhooks.ts",
    "provider/resources/index.ts",
    "provider/resources/resource-types.ts",
    "provider/resources/webhook",
    "tests/conformance/cases.ts",
  ]);
  expect(places).toHaveLength(7);
  // One line in each registry.
  for (const file of [
    "emulator/routes/index.ts",
    "provider/resources/index.ts",
    "provider/resources/resource-types.ts",
  ]) {
    expect(checkout.read(file).split("\n")).toHaveLength((before.get(file) ?? "").split("\n").length + 1);
  }
});

test("it costs at most 120 lines by hand", () => {
  const written = [...checkout.files()].map(([file, text]) => linesOf(text) - linesOf(before.get(file) ?? ""));
  const total = written.reduce((sum, lines) => sum + lines, 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(120);
});

test(
  "the rest is generated, or follows: everything compiles",
  async () => {
    const byHand = checkout.files();
    const generated = await checkout.run("npm", "run", "-s", "generate");
    expect(generated).toEqual(expect.objectContaining({ code: 0 }));
    expect(changed(byHand).sort()).toEqual([
      "docs/reference/getWebhook.md",
      "docs/reference/index.md",
      "docs/reference/listWebhooks.md",
      "docs/reference/webhook.md",
      "plugin/schema.json",
      "sdk/functions/index.generated.ts",
      "sdk/functions/webhook.generated.ts",
      "sdk/resources/index.generated.ts",
      "sdk/resources/webhook.generated.ts",
    ]);
    const compiled = await checkout.run(process.execPath, "node_modules/typescript/lib/tsc.js", "--noEmit");
    expect(compiled).toEqual(succeeded(""));
  },
  5 * MINUTES,
);

/** Runs suites in the copy. Their types were checked above. */
async function jest(names: string, ...files: readonly string[]): Promise<string> {
  const config = {
    rootDir: checkout.folder,
    testMatch: ["**/*.test.ts"],
    transform: { "^.+\\.tsx?$": ["ts-jest", { tsconfig: "tsconfig.json" }] },
    testTimeout: 30_000,
  };
  const options = ["--runInBand", "--config", JSON.stringify(config), "--testNamePattern", names, ...files];
  return (await checkout.run(process.execPath, "node_modules/jest/bin/jest.js", ...options)).output;
}

/** The failures, each with the beginning of its reason. */
const failuresIn = (output: string): string[] => [...output.matchAll(/^ *● [^]{0,800}/gm)].map(([failure]) => failure);

test(
  "it conforms, under both contracts",
  async () => {
    const output = await jest("Webhook", "tests/conformance/conformance", "tests/conformance/adopt");
    expect(failuresIn(output)).toEqual([]);
    expect(Number(/^Tests: .*?(\d+) passed/m.exec(output)?.[1])).toBeGreaterThan(70);
  },
  5 * MINUTES,
);

test(
  "no other suite asks for more",
  async () => {
    const output = await jest(
      // The tests of "what is loaded" use dist, which the copy does not have.
      "^(?!what is loaded|citations|relative links)",
      "tests/structure",
      "tests/bad-input",
      "tests/upgrade/stories",
      "provider/resources/registry",
      "tools/generate",
      "sdk/resource.test",
      "cli/generate/generate",
    );
    expect(failuresIn(output)).toEqual([]);
    expect(output).toMatch(/^Test Suites: .*7 passed, 7 total$/m);
  },
  5 * MINUTES,
);

describe("docs/internals/adding-a-resource.md", () => {
  const page = readFileSync(join(ROOT, "docs", "internals", "adding-a-resource.md"), "utf8");
  const texts = [
    ...filesBelow(WEBHOOK).map((file) => readFileSync(join(WEBHOOK, file), "utf8")),
    ...ADDITIONS.map(({ text }) => text),
  ];
  // A line with "..." alone stands for omitted lines.
  const excerpts = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].flatMap(([, code = ""]) =>
    code.split(/^ *\/\/ \.\.\.\n/m),
  );

  test("has excerpts", () => {
    expect(excerpts.length).toBeGreaterThan(6);
  });

  test.each(excerpts)("shows the files of the webhook as they are: excerpt %#", (excerpt) => {
    expect(texts.some((text) => text.includes(excerpt))).toBe(true);
  });

  test("names every place", () => {
    const places = [...filesBelow(WEBHOOK), ...ADDITIONS.map(({ file }) => file)].map(placeOf);
    expect(places.filter((place) => !page.includes(`\`${place}\``))).toEqual([]);
  });
});
