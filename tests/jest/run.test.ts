import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../tools/base/lock";
import { runProcess } from "../support/run-process";

const JEST = join(__dirname, "..", "..", "node_modules", "jest", "bin", "jest.js");

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "careless-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A test that leaves a folder and a process, which has an environment of its own and works in the folder. */
const CARELESS = `
const { spawn } = require("node:child_process");
const { mkdtempSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
test("passes", () => {
  const cwd = mkdtempSync(join(tmpdir(), "forgotten-"));
  const child = spawn("/bin/sleep", ["600"], { cwd, env: {}, detached: true, stdio: "ignore" });
  child.unref();
  console.log(cwd + " of " + child.pid + ".");
});`;

// Without /proc only the folder is found.
const testWithProc = existsSync("/proc/self/environ") ? test : test.skip;
testWithProc("a run whose tests leave a process and a folder behind names both, fails and removes them", async () => {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "tests"));
  write("setup.js", `module.exports = require(${JSON.stringify(join(__dirname, "run.js"))}).begin;`);
  write("tests/careless.test.js", CARELESS);
  const [globalSetup, globalTeardown] = [join(folder, "setup.js"), join(__dirname, "teardown.js")];
  const reporters = ["default", join(__dirname, "closing-line.js")];
  write("jest.config.json", JSON.stringify({ globalSetup, globalTeardown, reporters }));

  const { code, output, stdout } = await runProcess(process.execPath, [JEST, "--ci"], folder, {
    environment: { ...process.env, LEFTOVER_GRACE_MS: "1000" },
  });
  const [, forgotten = "", pid = ""] = /(\S+) of (\d+)\./.exec(output) ?? [];
  expect(output).toContain(`left this behind (it is removed now):\nprocess ${pid}: /bin/sleep 600 \n${forgotten}\n`);
  expect(stdout.trim().split("\n").at(-1)).toBe("1 passed, 2 failed");
  expect(code).toBe(1);
  expect(existsSync(join(forgotten, ".."))).toBe(false);
  // It was killed; on a busy machine it is gone a moment later.
  while (isAlive(Number(pid))) await new Promise((resolve) => setImmediate(resolve));
});
