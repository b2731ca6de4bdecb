// Far from UTC and off the full hour: whoever takes the platform's time for local time is found out.
process.env.TZ = "America/St_Johns";

const common = {
  testEnvironment: "node",
  transform: { "^.+\\.tsx?$": ["ts-jest", { tsconfig: "tsconfig.json" }] },
  // The compiled package under dist is what the engine's plugin loads; tests import the sources.
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/.state/"],
  globalSetup: "<rootDir>/tests/jest/setup.js",
  globalTeardown: "<rootDir>/tests/jest/teardown.js",
};

/**
 * What is played. Nothing: `npm test`, each suite of FRONTS on one front, and a sample of the models. "rest": the others, and the models in
 * full (tests/support/thorough.ts). "all": both.
 */
const TESTS = process.env.TESTS;

/** The suites that play on either front of the provider, below tests/; each with its front in `npm test`, which leaves out the "later" ones. */
const FRONTS = {
  "engine/adoption": "default",
  "engine/after-create": "native",
  "engine/connections": "native",
  "engine/credentials": "native",
  "engine/cut-off": "later",
  "engine/display": "later",
  "engine/drift": "native",
  "engine/drift-report": "native",
  "engine/functions": "native",
  "engine/github": "native",
  "engine/lifecycle": "default",
  "engine/lost-state": "default",
  "engine/many-stacks": "native",
  "engine/options": "native",
  "engine/orphans": "native",
  "engine/random-programs": "native",
  "engine/review": "default",
  "engine/run-check": "native",
  "examples/multi-region": "later",
  "examples/promotion": "later",
  "security/canaries": "default",
};
/** Suites of which `npm test` plays a part (tests/support/thorough.ts); those of either front are not named again. */
const PARTLY = ["model/programs", "model/wide/wide", "model/promises/*"];
/** Suites that `npm test` leaves out: what they promise is seldom at risk, and they take minutes. */
const LATER = [
  "backends/backends",
  "docs/programs",
  "docs/walk",
  "engine/spans",
  "engine/workspaces",
  "examples/gitops",
  "examples/pull-requests",
  "examples/templates",
  "new-resource/new-resource",
  "package/consumer",
];
const files = (suites) => suites.map((suite) => `<rootDir>/tests/${suite}.test.ts`);
const either = Object.keys(FRONTS);
/** The suites that this front plays now. */
const onFront = (front) =>
  either.filter((suite) => TESTS === "all" || (FRONTS[suite] === front) === (TESTS !== "rest"));

const everywhere = ["provider", "sdk", "emulator", "cli", "tools", "tests"].map((folder) => `<rootDir>/${folder}`);
const ignored = (suites) => suites.map((suite) => `/tests/${suite}\\.test\\.ts$`);
const ofDefault =
  TESTS === "rest"
    ? { testMatch: files([...PARTLY, ...LATER, ...onFront("default")]) }
    : {
        testMatch: ["**/*.test.ts"],
        testPathIgnorePatterns: [
          "/node_modules/",
          ...ignored(
            TESTS === "all" ? [] : [...LATER, ...either.filter((suite) => !onFront("default").includes(suite))],
          ),
        ],
      };
const ofNative = files(onFront("native"));

/** @type {import("jest").Config} */
module.exports = {
  projects: [
    {
      ...common,
      displayName: "default",
      roots: everywhere,
      ...ofDefault,
    },
    {
      ...common,
      displayName: "native",
      // The same suites, their stacks on the native plugin.
      roots: ["<rootDir>/tests"],
      testMatch: ofNative,
      setupFiles: ["<rootDir>/tests/jest/native.js"],
    },
  ],
  testSequencer: "<rootDir>/tests/jest/sequencer.js",
  reporters: ["default", "<rootDir>/tests/jest/closing-line.js"],
  maxWorkers: 2,
  testTimeout: 30_000,
};
