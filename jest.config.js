// Far from UTC and off the full hour: whoever takes the platform's time for local time is found out.
process.env.TZ = "America/St_Johns";

const common = {
  testEnvironment: "node",
  transform: { "^.+\\.ts$": ["ts-jest", { tsconfig: "tsconfig.json" }] },
  // The compiled package under dist is what the engine's plugin loads; tests import the sources.
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/.state/"],
  globalSetup: "<rootDir>/tests/jest/setup.js",
};

/** Suites on the engine that have one front, or both by themselves. */
const ofOneFront = [
  "native",
  "package",
  "start",
  "generate",
  "preview-online",
  "yaml",
  "python",
  "bundle",
  "gitops",
  "gitops-\\w+",
  "pull-requests",
];
/** Suites whose rules are the lifecycle's alone: `npm run native` repeats them too. */
const ofTheLifecycle = [
  "after-create",
  "credentials",
  "drift-report",
  "github",
  "lost-state",
  "many-stacks",
  "options",
  "orphans",
  "multi-region",
  "promotion",
];
const withoutNative = process.env.NATIVE === "everything" ? ofOneFront : [...ofOneFront, ...ofTheLifecycle];

/** @type {import("jest").Config} */
module.exports = {
  projects: [
    {
      ...common,
      displayName: "default",
      roots: ["provider", "sdk", "emulator", "cli", "tools", "tests"].map((folder) => `<rootDir>/${folder}`),
      testMatch: ["**/*.test.ts"],
    },
    {
      ...common,
      displayName: "native",
      // The same suites again, their stacks on the native plugin.
      roots: ["engine", "examples", "security"].map((folder) => `<rootDir>/tests/${folder}`),
      testMatch: ["**/engine/*.test.ts", "**/examples/*.test.ts", "**/security/canaries.test.ts"],
      testPathIgnorePatterns: [`/(engine|examples)/(${withoutNative.join("|")})\\.`],
      setupFiles: ["<rootDir>/tests/jest/native.js"],
    },
  ],
  testSequencer: "<rootDir>/tests/jest/sequencer.js",
  reporters: ["default", "<rootDir>/tests/jest/closing-line.js"],
  maxWorkers: 2,
  testTimeout: 30_000,
};
