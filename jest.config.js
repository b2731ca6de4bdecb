// Far from UTC and off the full hour: whoever takes the platform's time for local time is found out.
process.env.TZ = "America/St_Johns";

/**
 * What is played: "unit" the tests beside the code, "first" what `npm test` plays (no engine), "rest" what `npm run test:all` adds to it, "weekly" what is left
 * of the dynamic plugin, and what only a release needs. Nothing: every suite there is, so that `npx jest <file>` finds any. The name of a suite says when it is
 * played (CONTRIBUTING.md, Run tests).
 */
const TESTS = process.env.TESTS;

const ALL = ["provider", "sdk", "emulator", "cli", "fleet", "tools", "tests"];
const folders = (names) => names.map((name) => `<rootDir>/${name}`);
const named = (kinds) => [`/[\\w-]+\\.(${kinds})\\.test\\.ts$`];
const PLAIN = ["/[\\w-]+\\.test\\.ts$"];
const ON_DYNAMIC = { unit: PLAIN, first: PLAIN, rest: named("long|both"), weekly: named("native|weekly") };

const common = {
  testEnvironment: "<rootDir>/tests/jest/environment.js",
  transform: { "^.+\\.tsx?$": ["<rootDir>/tests/jest/transform.js", { tsconfig: "tsconfig.json" }] },
  // The compiled package under dist is what the engine's plugin loads; tests import the sources.
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/.state/"],
  globalSetup: "<rootDir>/tests/jest/setup.js",
  globalTeardown: "<rootDir>/tests/jest/teardown.js",
  // Each suite loads zod anew, and with it its messages in sixty languages.
  moduleNameMapper: { "^\\.\\./locales/index\\.cjs$": "<rootDir>/node_modules/zod/v4/locales/en.cjs" },
};
const dynamic = {
  ...common,
  displayName: "dynamic",
  roots: folders(TESTS === "unit" ? ALL.slice(0, 5) : ALL),
  testRegex: ON_DYNAMIC[TESTS] ?? ["\\.test\\.ts$"],
};
const native = {
  ...common,
  displayName: "native",
  roots: folders(["tests"]),
  testRegex: named("both|native"),
  setupFiles: ["<rootDir>/tests/jest/native.js"],
};

/** @type {import("jest").Config} */
module.exports = {
  // A merge plays the native plugin whole.
  projects: !TESTS || TESTS === "rest" ? [dynamic, native] : [dynamic],
  testSequencer: "<rootDir>/tests/jest/sequencer.js",
  reporters: ["default", "<rootDir>/tests/jest/closing-line.js"],
  // The rest has suites that wait for minutes (tests/backends) beside those that take a processor.
  maxWorkers: TESTS === "rest" ? 3 : 2,
  // For a test that hangs, not for one that is slow: far more than ten times what any takes on a quiet machine.
  // Exploring every schedule (`npm run interleavings`) takes hours.
  testTimeout: process.env.SCHEDULES ? 36_000_000 : TESTS === "unit" || TESTS === "first" ? 900_000 : 1_800_000,
};
