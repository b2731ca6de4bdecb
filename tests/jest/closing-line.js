const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

/** What `npm test` counted, for the sum that `npm run test:all` ends with. */
const COUNTS = join(__dirname, "..", "..", ".state", "tests", "counts.json");

const lineOf = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

function sumOf(counts) {
  try {
    const first = JSON.parse(readFileSync(COUNTS, "utf8"));
    return Object.fromEntries(Object.keys(counts).map((key) => [key, counts[key] + first[key]]));
  } catch {
    return counts; // The rest was run by itself.
  }
}

// The last lines of a run: what was skipped or left out, then plain counts, readable by a person and by any CI.
module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      // A suite that cannot even load runs no test of its own: count it as a failure.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    const lines = process.env.SKIPPED === undefined ? [] : [process.env.SKIPPED];
    if (process.env.TESTS === "first") {
      mkdirSync(join(COUNTS, ".."), { recursive: true });
      writeFileSync(COUNTS, JSON.stringify(counts));
      lines.push(
        "Left out: the other plugin of each story, more suites on the engine, examples, browsers, official clients. " +
          "`npm run test:all` plays them too.",
      );
    }
    lines.push(lineOf(counts));
    if (process.env.TESTS === "rest") lines.push(`All: ${lineOf(sumOf(counts))}`);
    process.on("exit", () => console.log(lines.join("\n")));
  }
};
