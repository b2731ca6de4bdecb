// The last line of `npm test`: plain counts, readable by a person and by any CI.
module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    const skipped = results.numPendingTests + results.numTodoTests;
    // A suite that cannot even load runs no test of its own: count it as a failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.on("exit", () => {
      // What the tests left behind (run.js) is known only now.
      const failures = failed + Number(process.env.LEFT_BEHIND ?? 0);
      console.log(`${results.numPassedTests} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    });
  }
};
