// Once before all tests: an engine for those that need one. Where none can be had they fail in CI, and are skipped elsewhere,
// with one loud line that says why.
module.exports = async function setup() {
  const { ensureEngine } = require("../../dist/tools/engine");
  try {
    await ensureEngine();
  } catch (error) {
    if (process.env.CI) throw error;
    process.env.ENGINE_UNAVAILABLE = "true";
    console.error(`\n!!! NO PULUMI ENGINE: the tests on the real engine are SKIPPED.\n${error.message}\n`);
  }
};
