const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const { join, relative } = require("node:path");

const ROOT = join(__dirname, "..", "..");
/** What `npm test` counted, for the sum that `npm run test:all` ends with. */
const COUNTS = join(ROOT, ".state", "tests", "counts.json");
const LEFT_OUT =
  "Left out: the engine, examples, browsers, official clients. `npm run test:all` plays them too, " +
  "`npm run test:weekly` what is left of the dynamic plugin, and a release.";

const lineOf = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

function keep(counts) {
  mkdirSync(join(COUNTS, ".."), { recursive: true });
  writeFileSync(COUNTS, JSON.stringify(counts));
}

function withNpmTest(counts) {
  try {
    const first = JSON.parse(readFileSync(COUNTS, "utf8"));
    return Object.fromEntries(Object.keys(counts).map((key) => [key, counts[key] + first[key]]));
  } catch {
    return counts; // The rest was run by itself.
  }
}

/** The last lines of a run: what was skipped or left out, then plain counts, readable by a person and by any CI. */
function linesOf(counts) {
  const skipped = process.env.SKIPPED === undefined ? [] : [process.env.SKIPPED];
  if (process.env.TESTS === "first") return [...skipped, LEFT_OUT, lineOf(counts)];
  if (process.env.TESTS === "rest") return [...skipped, lineOf(counts), `All: ${lineOf(withNpmTest(counts))}`];
  return [...skipped, lineOf(counts)];
}

const secondsOf = ({ perfStats: { start, end } }) => Math.round((end - start) / 1000);

/** Lines that name the ten suites that took longest; none if no more than ten were played. */
function longest({ testResults }) {
  if (testResults.length <= 10) return [];
  const suites = [...testResults].sort((one, other) => secondsOf(other) - secondsOf(one)).slice(0, 10);
  const lines = suites.map((suite) => {
    const path = relative(ROOT, suite.testFilePath);
    return `${String(secondsOf(suite)).padStart(5)} s  ${path} (${suite.displayName?.name})`;
  });
  return ["The suites that took longest:", ...lines];
}

module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    process.on("exit", () => {
      const counts = {
        passed: results.numPassedTests,
        // A suite that cannot load runs no test of its own, and what tests leave behind (run.js) is known only now: both are failures.
        failed: results.numFailedTests + results.numRuntimeErrorTestSuites + Number(process.env.LEFT_BEHIND ?? 0),
        skipped: results.numPendingTests + results.numTodoTests,
      };
      if (process.env.TESTS === "first") keep(counts);
      console.log([...longest(results), ...linesOf(counts)].join("\n"));
    });
  }
};
