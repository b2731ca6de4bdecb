import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { version } from "../provider/base/version";
import { CliProcesses, ended } from "../tests/support/cli-processes";
import { newFolder } from "../tests/support/new-folder";
import { PlatformUnderTest } from "../tests/support/platform-under-test";
import { deploymentOf } from "../tests/support/ask";

// What only a process of its own shows. What commands say is tested in this one: command-line.test.ts, and those of each command.

let processes: CliProcesses;
beforeAll(() => (processes = new CliProcesses()));
afterEach(() => processes.killAll());
afterAll(() => processes.remove());

test("exit code 0: the output is that of the command, and nothing else", async () => {
  expect(await ended(processes.start(["--version"]))).toEqual({ code: 0, out: `${version()}\n`, err: "" });
});

test("exit code 1: the message is on standard error, without a stack", async () => {
  const seen = await ended(processes.start(["emulator", "--api-key-file", "/no/such"]));
  expect([seen.code, seen.out]).toEqual([1, ""]);
  expect(seen.err).toMatch(/^error: .*\/no\/such.*\n$/);
  expect(seen.err).not.toContain("    at ");
});

test.each(["emulator", "review --stack dev"])(
  "%s without a folder for temporary files names what to correct",
  async (words) => {
    const child = processes.start([...words.split(" ")], { TMPDIR: "/no/such" });
    const { code, err } = await ended(child);
    expect(err).toMatch(/^error: no temporary folder can be made: ENOENT: .*\/no\/such\/.*\. Correct TMPDIR\n$/);
    expect(code).toBe(1);
  },
);

test("a reader of standard error that has left changes neither the report nor the exit code", async () => {
  const folder = newFolder();
  const warning = { diagnosticEvent: { severity: "warning", message: "old" } };
  const events = [warning, { summaryEvent: {} }].map((event) => `echo '${JSON.stringify(event)}'`);
  const engine = ["#!/bin/sh", "case $1 in", "refresh)", ...events, ";;", `*) echo '{"deployment":{}}';;`, "esac", ""];
  writeFileSync(join(folder, "pulumi"), engine.join("\n"), { mode: 0o755 });
  const child = processes.start(["drift", "--stack", "dev", "--cwd", folder], { PATH: `${folder}:/usr/bin:/bin` });
  child.stderr.destroy();
  expect(await ended(child)).toEqual({ code: 0, out: "No drift: stack dev has no objects.\n", err: "" });
});

describe("while an engine runs", () => {
  const message = "error: the command was interrupted\n";

  /** What a command comes to that a signal ends while its engine runs, and what it leaves in the folder for temporary files. */
  async function interrupted(signal: NodeJS.Signals, ...words: string[]) {
    const folder = newFolder();
    const [begun, go, temporary] = [join(folder, "begun"), join(folder, "go"), join(folder, "tmp")];
    const engine =
      `#!/bin/sh\ncase "$1 $2" in 'whoami '*) echo '{"url":"https://x"}'; exit;; 'stack ls') echo '[{"name":"organization/p/dev"}]'; exit;; esac\n` +
      `touch '${begun}'; until [ -e '${go}' ]; do sleep 0.05; done; exit 1\n`;
    writeFileSync(join(folder, "pulumi"), engine, { mode: 0o755 });
    writeFileSync(join(folder, "Pulumi.yaml"), "name: p\nruntime: yaml\n");
    mkdirSync(temporary);
    const environment = { PATH: `${folder}:/usr/bin:/bin`, TMPDIR: temporary };
    const child = processes.start([...words, "--cwd", folder], environment);
    const end = ended(child);
    while (!existsSync(begun)) await pause(20);
    child.kill(signal);
    // On Ctrl-C the terminal ends the engine too.
    if (signal === "SIGINT") writeFileSync(go, "");
    return { ...(await end), left: readdirSync(temporary) };
  }

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s ends both, and leaves nothing behind", async (signal) => {
    const end = await interrupted(signal, "review", "--stack", "dev");
    expect(end).toEqual({ code: 1, out: "", err: message, left: [] });
  });

  test("no advice about what the engine did not say", async () => {
    expect(await interrupted("SIGINT", "drift", "--stack", "dev")).toMatchObject({
      code: 1,
      out: "",
      err: message,
    });
    expect(await interrupted("SIGINT", "doctor")).toMatchObject({ code: 1, out: "", err: message });
    const { out } = await interrupted("SIGINT", "drift", "--stacks", "dev");
    expect(out).toMatch(/could not be compared[^]*\nStack dev: the command was interrupted\n/);
    expect(out).not.toMatch(/Fix that/);
  });
});

describe("logs --follow", () => {
  let platform: PlatformUnderTest;
  beforeEach(async () => {
    platform = await PlatformUnderTest.start();
    await platform.ask("POST", "/v2/deployments", deploymentOf("a", "emulator-stuck"));
    // It builds for ever, and its log has lines.
    platform.clock.advance(60_000);
  });
  afterEach(() => platform.close());

  const follow = () =>
    processes.start(["logs", "--follow", "--base-url", platform.emulator.url], {
      AGENT_PLATFORM_API_KEY: platform.emulator.apiKey,
    });

  test("Ctrl-C is its usual end", async () => {
    const child = follow();
    await once(child.stdout, "data");
    const end = ended(child);
    child.kill("SIGINT");
    const { code, err } = await end;
    expect(code).toBe(0);
    expect(err).not.toMatch(/error| {4}at /);
  });

  test("so is a reader of its output that has left", async () => {
    const child = follow();
    child.stdout.destroy();
    const { code, err } = await ended(child);
    expect(code).toBe(0);
    expect(err).not.toMatch(/error| {4}at /);
  });
});
