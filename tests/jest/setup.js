const { spawnSync } = require("node:child_process");
const { installAgentServer } = require("../agent-server/install");
const { begin } = require("./run");

// Once before all tests: an engine, its YAML language host, an agent server and a browser for those that need them. Where there is no engine
// or no browser its tests fail in CI, and are skipped elsewhere, with one loud line that says why. Without Go no YAML host can be built, so its tests are
// then skipped in CI too.
module.exports = async function setup() {
  await install();
  begin();
};

async function install() {
  const { ensureEngine } = require("../../dist/tools/engine");
  const { ensureYamlHost } = require("../../dist/tools/engine/yaml-host");
  const { ensureChromium } = require("../../dist/tools/browser/ensure");
  try {
    await installAgentServer();
  } catch (error) {
    if (process.env.CI) throw error;
    console.error(`\n!!! NO AGENT SERVER: the tests on it will fail.\n${error.message}\n`);
  }
  try {
    await ensureChromium();
  } catch (error) {
    if (process.env.CI) throw error;
    process.env.BROWSER_UNAVAILABLE = "true";
    console.error(`\n!!! NO CHROMIUM: the tests in a browser are SKIPPED.\n${error.message}\n`);
  }
  let engine;
  try {
    engine = await ensureEngine();
  } catch (error) {
    if (process.env.CI) throw error;
    process.env.ENGINE_UNAVAILABLE = "true";
    console.error(`\n!!! NO PULUMI ENGINE: the tests on the real engine are SKIPPED.\n${error.message}\n`);
    return;
  }
  try {
    process.env.YAML_HOST_BIN = (await ensureYamlHost(engine)).bin;
  } catch (error) {
    if (process.env.CI && hasGo()) throw error;
    console.error(`\n!!! NO YAML LANGUAGE HOST: the tests of YAML programs are SKIPPED.\n${error.message}\n`);
  }
}

const hasGo = () => spawnSync("go", ["version"]).status === 0;
