// The last line of `npm test`: plain counts, readable by a person and by any CI.
module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    const skipped = results.numPendingTests + results.numTodoTests;
    // A suite that cannot even load runs no test of its own: count it as a failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    this.line = `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
    process.on("exit", () => console.log(this.line));
  }
};
