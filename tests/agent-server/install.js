// Installs the packages of this folder, which are not among the checkout's own. For jest's globalSetup, and for scripts.
const { execFile } = require("node:child_process");
const { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } = require("node:fs");
const { join } = require("node:path");
const { promisify } = require("node:util");

const installed = join(__dirname, "node_modules");
const lock = join(__dirname, "package-lock.json");
/** Shows what was installed: a copy of the lock file, written last. */
const record = (modules) => join(modules, ".installed-lock.json");

/** No package needs a script to run. A missing registry is reported soon. */
const OPTIONS = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retry-mintimeout=1000"];

const isCurrent = () => existsSync(record(installed)) && readFileSync(record(installed)).equals(readFileSync(lock));

/**
 * The packages of the lock file, in this folder's node_modules. They are made elsewhere and moved in as a whole: an installation that
 * was cut off is never taken for a complete one, and if two run at the same time, one of them is used.
 */
async function installAgentServer() {
  if (isCurrent()) return;
  console.log("\nInstalling the agent server of the tests (135 MB, once) ...");
  const elsewhere = join(__dirname, "..", "..", ".state", "agent-server");
  mkdirSync(elsewhere, { recursive: true });
  const stage = mkdtempSync(join(elsewhere, "install-"));
  try {
    for (const file of ["package.json", "package-lock.json", ".npmrc"]) {
      copyFileSync(join(__dirname, file), join(stage, file));
    }
    await npmCi(stage);
    copyFileSync(lock, record(join(stage, "node_modules")));
    moveIn(stage);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

async function npmCi(folder) {
  try {
    await promisify(execFile)("npm", ["ci", ...OPTIONS], { cwd: folder, timeout: 600_000 });
  } catch (error) {
    const said = String(error.stderr ?? "").trim() || error.message;
    throw new Error(
      `The agent server of the tests (tests/agent-server) could not be installed: npm ci failed.\n${said}\n` +
        "It needs the package registry of npm's configuration once; after that, tests need no network.",
      { cause: error },
    );
  }
}

function moveIn(stage) {
  if (isCurrent()) return; // another run was faster
  try {
    if (existsSync(installed)) renameSync(installed, join(stage, "outdated"));
    renameSync(join(stage, "node_modules"), installed);
  } catch (error) {
    if (!isCurrent()) throw error;
  }
}

module.exports = { installAgentServer };

if (require.main === module) {
  installAgentServer().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
