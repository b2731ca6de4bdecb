const { installAgentServer } = require("../agent-server/install");

// Once before all tests: an engine and an agent server for those that need them. Where there is no engine its tests fail in CI, and are
// skipped elsewhere, with one loud line that says why.
module.exports = async function setup() {
  const { ensureEngine } = require("../../dist/tools/engine");
  try {
    await installAgentServer();
  } catch (error) {
    if (process.env.CI) throw error;
    console.error(`\n!!! NO AGENT SERVER: the tests on it will fail.\n${error.message}\n`);
  }
  try {
    await ensureEngine();
  } catch (error) {
    if (process.env.CI) throw error;
    process.env.ENGINE_UNAVAILABLE = "true";
    console.error(`\n!!! NO PULUMI ENGINE: the tests on the real engine are SKIPPED.\n${error.message}\n`);
  }
};
