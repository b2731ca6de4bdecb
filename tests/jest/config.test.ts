import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/sources";

interface Config {
  readonly projects: readonly {
    readonly displayName: string;
    readonly roots: readonly string[];
    readonly testRegex: readonly string[];
  }[];
}

function configOf(tests: string): Config {
  const before = process.env["TESTS"];
  process.env["TESTS"] = tests;
  try {
    jest.resetModules();
    return jest.requireActual<Config>("../../jest.config.js");
  } finally {
    if (before === undefined) delete process.env["TESTS"];
    else process.env["TESTS"] = before;
  }
}

const SUITES = configOf("first")
  .projects.flatMap(({ roots }) => roots)
  .map((root) => root.replace("<rootDir>/", ""))
  .filter((folder, index, all) => all.indexOf(folder) === index)
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
      .map((file) => join(folder, file)),
  );

/** The suites that a command plays, each with its plugin. */
const played = (tests: string): string[] =>
  configOf(tests).projects.flatMap(({ displayName, testRegex }) =>
    SUITES.filter((file) => testRegex.some((pattern) => new RegExp(pattern).test(join(ROOT, file)))).map(
      (file) => `${file} ${displayName}`,
    ),
  );
const [first, rest, weekly] = [played("first"), played("rest"), played("weekly")];

const ON_BOTH = /\.(?:both|native)\.test\.ts$/;

test("each suite on the engine is played once on each plugin by `npm run test:all` and `npm run test:weekly`, each other one once", () => {
  const expected = SUITES.flatMap((file) => [`${file} dynamic`, ...(ON_BOTH.test(file) ? [`${file} native`] : [])]);
  expect([...first, ...rest, ...weekly].sort()).toEqual(expected.sort());
});

test("only what is named native or weekly is left to `npm run test:weekly`: a merge plays the native plugin whole", () => {
  expect(weekly).toEqual(
    SUITES.filter((file) => /\.(?:native|weekly)\.test\.ts$/.test(file)).map((file) => `${file} dynamic`),
  );
});

test("`npm test` plays no suite that needs an engine", () => {
  const texts = first.map((each) => readFileSync(join(ROOT, each.replace(/ \w+$/, "")), "utf8"));
  expect(first.filter((_, index) => /from "[./]+support\/with-engine"/.test(texts[index] ?? ""))).toEqual([]);
});
