import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Checkout } from "./checkout";
import { GENERATED, OWN, PLACES, SHARED } from "./lines";

const ROOT = join(__dirname, "..", "..");
const MINUTES = 60_000;

let checkout: Checkout;
let before: ReadonlyMap<string, string>;
beforeAll(() => {
  checkout = Checkout.make();
  checkout.takeOut([...OWN, ...GENERATED], SHARED);
  before = checkout.files();
  checkout.putBack([...OWN, ...SHARED.map(({ file }) => file)]);
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

test("a new resource costs the places that docs/internals/adding-a-resource.md lists", () => {
  expect([...new Set(changed(before).map(placeOf))].sort()).toEqual([...PLACES].sort());
  expect(PLACES.length).toBeGreaterThan(7);
  // One line in each registry.
  for (const file of [
    "emulator/routes/index.ts",
    "provider/resources/index.ts",
    "provider/resources/resource-types.ts",
  ]) {
    expect(checkout.read(file).split("\n")).toHaveLength((before.get(file) ?? "").split("\n").length + 1);
  }
});

test("its folder is at most 120 lines, and all of it by hand at most 255", () => {
  const written = [...checkout.files()].map(([file, text]): [string, number] => [
    file,
    linesOf(text) - linesOf(before.get(file) ?? ""),
  ]);
  const total = (lines: readonly (readonly [string, number])[]) => lines.reduce((sum, [, each]) => sum + each, 0);
  const inFolder = total(written.filter(([file]) => file.startsWith("provider/resources/sandbox-registry/")));
  expect(inFolder).toBeGreaterThan(0);
  expect(inFolder).toBeLessThanOrEqual(120);
  expect(total(written)).toBeLessThanOrEqual(255);
});

test(
  "the rest is generated, or follows: everything compiles",
  async () => {
    const byHand = checkout.files();
    const generated = await checkout.run("npm", "run", "-s", "generate");
    expect(generated).toEqual(expect.objectContaining({ code: 0 }));
    expect(changed(byHand).sort()).toEqual([...GENERATED].sort());
    for (const file of GENERATED) expect(checkout.read(file)).toBe(readFileSync(join(ROOT, file), "utf8"));
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
    const output = await jest("SandboxRegistry", "tests/conformance/conformance", "tests/conformance/adopt");
    expect(failuresIn(output)).toEqual([]);
    expect(Number(/^Tests: .*?(\d+) passed/m.exec(output)?.[1])).toBeGreaterThan(40);
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
    expect(output).toMatch(/^Test Suites: .*8 passed, 8 total$/m);
  },
  5 * MINUTES,
);
