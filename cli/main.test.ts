import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
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

test.each<[code: number, words: string[], says: RegExp]>([
  [1, ["emulator", "--api-key-file", "/no/such"], /^error: .*\/no\/such.*\n$/],
  [2, ["drfit"], /^error: unknown command 'drfit'\n/],
])("exit code %d: the message is on standard error, without a stack", async (code, words, says) => {
  const seen = await ended(processes.start(words));
  expect([seen.code, seen.out]).toEqual([code, ""]);
  expect(seen.err).toMatch(says);
  expect(seen.err).not.toContain("    at ");
});

test("Ctrl-C while an engine runs: no advice about what the engine did not say", async () => {
  const folder = newFolder();
  const [begun, go] = [join(folder, "begun"), join(folder, "go")];
  const engine = `#!/bin/sh\ntouch '${begun}'; until [ -e '${go}' ]; do sleep 0.05; done; exit 1\n`;
  writeFileSync(join(folder, "pulumi"), engine, { mode: 0o755 });
  const child = processes.start(["drift", "--stack", "dev", "--cwd", folder], { PATH: `${folder}:/usr/bin:/bin` });
  const end = ended(child);
  while (!existsSync(begun)) await pause(20);
  child.kill("SIGINT");
  writeFileSync(go, "");
  expect(await end).toEqual({ code: 1, out: "", err: "error: the command was interrupted\n" });
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
