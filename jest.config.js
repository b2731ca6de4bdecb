// Far from UTC and off the full hour: whoever takes the platform's time for local time is found out.
process.env.TZ = "America/St_Johns";

/** @type {import("jest").Config} */
module.exports = {
  roots: [
    "<rootDir>/provider",
    "<rootDir>/sdk",
    "<rootDir>/emulator",
    "<rootDir>/cli",
    "<rootDir>/tools",
    "<rootDir>/tests",
  ],
  testMatch: ["**/*.test.ts"],
  testEnvironment: "node",
  transform: { "^.+\\.ts$": ["ts-jest", { tsconfig: "tsconfig.json" }] },
  // The compiled package under dist is what the engine's plugin loads; tests import the sources.
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/.state/"],
  globalSetup: "<rootDir>/tests/jest/setup.js",
  testSequencer: "<rootDir>/tests/jest/sequencer.js",
  reporters: ["default", "<rootDir>/tests/jest/closing-line.js"],
  maxWorkers: 2,
  testTimeout: 30_000,
};
