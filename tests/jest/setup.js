const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { join } = require("node:path");
const { begin } = require("./run");

/** Says what could not be had, and which tests are skipped without it. The closing lines say it again. */
function without(what, tests, reason) {
  const line = `!!! NO ${what}: ${tests} are SKIPPED.`;
  process.env.SKIPPED = [process.env.SKIPPED, line].filter(Boolean).join("\n");
  console.error(`\n${line}\n${reason}\n`);
}

const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/** CI fails without an engine: the promises are tested on it. */
async function setUpEngine() {
  try {
    return await require("../../dist/tools/engine").ensureEngine();
  } catch (error) {
    if (process.env.CI) throw error;
    process.env.ENGINE_UNAVAILABLE = "true";
    without("PULUMI ENGINE", "the tests on the real engine", reasonOf(error));
  }
}

async function setUpYaml(engine) {
  try {
    process.env.YAML_HOST_BIN = await require("../../dist/tools/engine/yaml-host").ensureYamlHost(engine);
  } catch (error) {
    without("YAML LANGUAGE HOST", "the tests of YAML programs", reasonOf(error));
  }
}

async function setUpBrowser() {
  try {
    await require("../../dist/tools/browser/find").ensureChromium();
  } catch (error) {
    process.env.BROWSER_UNAVAILABLE = "true";
    without("CHROMIUM", "the tests in a browser", reasonOf(error));
  }
}

function setUpPython() {
  const { findPython, OLDEST_PYTHON } = require("../../dist/tools/official/python");
  if (findPython(process.env) !== undefined) return;
  const tests = "the tests of official clients and of programs in Python";
  without(`PYTHON ${OLDEST_PYTHON} OR NEWER`, tests, "Put a python3 on PATH that can make virtual environments.");
}

async function setUpReleases() {
  const { OLDEST_GO: oldestGo } = require("../../dist/tools/engine/layout");
  const module = join(__dirname, "..", "..", "tools", "engine");
  try {
    await require("../../dist/tools/engine/build").checkGo({ module, oldestGo }, process.env);
  } catch (error) {
    process.env.GO_UNAVAILABLE = "true";
    const tests = "the tests of generated SDKs, of a release and of workflows";
    without(`GO ${oldestGo} OR NEWER`, tests, `${reasonOf(error)}. Put a go on PATH: https://go.dev/dl/`);
    return;
  }
  if (!require("../../dist/tools/release/executable").MAKES_EXECUTABLES)
    without("LINUX X64", "the tests of a release", "A release is made on Linux x64.");
}

function setUpBackends() {
  for (const { name, find } of require("../../dist/tools/backends/kinds").BACKENDS) {
    const remedy = "To install it: npm run backends";
    if (find() === undefined) without(name, `the tests of state in ${name}`, remedy);
  }
}

// Once before all tests: what they need besides `npm ci`. `npm test` needs nothing.
module.exports = async function setup() {
  await install();
  await startKeyServer();
  begin();
};

/** Test stacks find it by the variables of Vault (tests/support/cli-stack.ts). */
async function startKeyServer() {
  const server = spawn(process.execPath, [join(__dirname, "key-server.js")], { stdio: ["pipe", "pipe", "inherit"] });
  const [address] = await once(server.stdout, "data");
  Object.assign(process.env, { VAULT_SERVER_URL: String(address).trim(), VAULT_SERVER_TOKEN: "guards-nothing" });
  for (const part of [server, server.stdin, server.stdout]) part.unref();
}

async function install() {
  if (["unit", "first"].includes(process.env.TESTS)) return;
  const engine = await setUpEngine();
  await require("../agent-server/install").installAgentServer();
  await setUpBrowser();
  if (engine !== undefined) await setUpYaml(engine);
  setUpPython();
  await setUpReleases();
  setUpBackends();
}
