import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeWhole } from "./entry";
import { FakeMachine } from "../../tests/support/fake-machine";
import { findCheckout } from "./layout";
import { isAlive } from "../base/lock";

let machine: FakeMachine;
beforeEach(() => {
  machine = new FakeMachine();
  machine.addFailingDownload();
});
afterEach(() => machine.remove());

/** ensureEngine in a process of its own, which a test can lose. */
const IN_CHILD = `
const ts = require("typescript"), fs = require("node:fs");
require.extensions[".ts"] = (module, file) =>
  module._compile(ts.transpileModule(fs.readFileSync(file, "utf8"), { compilerOptions: { module: 1, target: 9 } }).outputText, file);
const { ensureEngine } = require("./tools/engine/index.ts");
const { env, checkout } = JSON.parse(process.argv[1]);
void ensureEngine({ env, checkout, log: () => {} });
`;

function endOfChild(): Promise<NodeJS.Signals | number | null> {
  const argument = JSON.stringify({ env: machine.env, checkout: machine.checkout });
  const child = spawn(process.execPath, ["-e", IN_CHILD, argument], { cwd: findCheckout(), stdio: "ignore" });
  return new Promise((resolve) => child.on("close", (code, signal) => resolve(signal ?? code)));
}

function cached(): string[] {
  return readdirSync(machine.layout().cache);
}

test("a build that fails leaves nothing behind", async () => {
  machine.addGo('printf half > "$out"\necho "no such module" >&2\nexit 1\n');
  await expect(machine.ensure()).rejects.toThrow("go ended with exit code 1: no such module");
  expect(cached()).toEqual([]);
});

test("a run killed in the middle of its build leaves no engine, and the next run makes one; what is left goes after a day", async () => {
  machine.addGo('printf half > "$out"\nkill -9 $PPID\n');
  await expect(endOfChild()).resolves.toBe("SIGKILL");
  expect(existsSync(machine.layout().entry)).toBe(false);
  const [draft = ""] = cached();
  expect(draft).toContain(".draft-");

  machine.addGo(machine.goodBuild);
  await expect(machine.ensure()).resolves.toMatchObject({ source: "build" });
  expect(cached()).toContain(draft);
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  utimesSync(join(machine.layout().cache, draft), twoDaysAgo, twoDaysAgo);
  await expect(machine.ensure()).resolves.toMatchObject({ source: "cache" });
  expect(cached().map((name) => join(machine.layout().cache, name))).toEqual([machine.layout().entry]);
});

test("a run that is told to end takes its build with it", async () => {
  machine.addGo(`echo $$ > ${machine.folder}/go-pid\nkill -TERM $PPID\nsleep 60\n`);
  await expect(endOfChild()).resolves.toBe("SIGTERM");
  const go = Number(readFileSync(join(machine.folder, "go-pid"), "utf8"));
  // It was killed before the run ended, but a signal may arrive a moment later.
  while (isAlive(go)) await new Promise((resolve) => setImmediate(resolve));
  expect(existsSync(machine.layout().entry)).toBe(false);
});

test("two runs at once both get the engine", async () => {
  machine.addGo(machine.goodBuild);
  const engines = await Promise.all([machine.ensure(), machine.ensure()]);
  expect(engines.map(({ bin }) => dirname(bin))).toEqual([machine.layout().entry, machine.layout().entry]);
  expect(cached()).toHaveLength(1);
});

test("where another run is faster, what it made stays: it may be in use", async () => {
  const entry = join(machine.folder, "cache", "entry");
  const isWhole = () => existsSync(join(entry, "bin", "program"));
  const make = (text: string, meanwhile = () => Promise.resolve()) =>
    makeWhole(entry, isWhole, async (_folder, bin) => {
      await meanwhile();
      writeFileSync(join(bin, "program"), text);
    });
  await make("slow", () => make("fast"));
  expect(readFileSync(join(entry, "bin", "program"), "utf8")).toBe("fast");
  expect(readdirSync(join(machine.folder, "cache"))).toEqual(["entry"]);
});
