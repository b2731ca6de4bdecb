import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { passOnSignals, run } from "./child";
import { setImmediate as turn } from "node:timers/promises";
import { newFolder } from "../../tests/support/new-folder";
import { takeLock } from "../base/lock";
import { isRunning, withEmulator } from "./emulator";
import { engineEnvironment } from "./pulumi";
import { openState, portOf, removeDeadLocks, STACK } from "./state";

let checkout: string;
beforeEach(() => (checkout = newFolder()));

describe("what a checkout keeps", () => {
  test("key and passphrase are random, stay the same, and are for this user alone", () => {
    const [first, second] = [openState(checkout), openState(checkout)];
    const read = (file: string): string => readFileSync(file, "utf8");
    expect(read(second.keyFile)).toBe(read(first.keyFile));
    expect(read(first.keyFile)).not.toBe(read(join(first.folder, "passphrase")));
    expect(statSync(first.keyFile).mode & 0o777).toBe(0o600);
    expect(statSync(join(first.folder, "passphrase")).mode & 0o777).toBe(0o600);
  });

  test("the port stays the same: the state of the stack belongs to one address", async () => {
    const state = openState(checkout);
    expect(await portOf(state)).toBe(await portOf(state));
  });

  test("configuration of a passphrase that is gone is set aside, and that of one that is there is left alone", () => {
    const file = join(checkout, `Pulumi.${STACK}.yaml`);
    writeFileSync(file, "encryptionsalt: old");
    const { folder } = openState(checkout);
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(join(folder, `Pulumi.${STACK}.yaml.old`), "utf8")).toBe("encryptionsalt: old");
    writeFileSync(file, "encryptionsalt: new");
    openState(checkout);
    expect(readFileSync(file, "utf8")).toBe("encryptionsalt: new");
  });

  test("settings of the user's own stacks and platforms do not reach the engine", () => {
    const given = { PATH: "/usr/bin", PULUMI_CONFIG_PASSPHRASE: "x", AGENT_PLATFORM_TENANT_ID: "y", LANG: "C" };
    const env = engineEnvironment(given, "/engine/bin", openState(checkout));
    expect(env).not.toHaveProperty("PULUMI_CONFIG_PASSPHRASE");
    expect(env).not.toHaveProperty("AGENT_PLATFORM_TENANT_ID");
    expect(env).toMatchObject({ LANG: "C", PATH: "/engine/bin:/usr/bin" });
    expect(env.PULUMI_HOME).toBe(join(checkout, ".state", "home"));
  });
});

test.each([
  ["of a killed run is removed", '{"pid":2147483646}', false],
  ["that is half written is a killed run's", '{"pi', false],
  ["of an engine at work stays", JSON.stringify({ pid: process.ppid }), true],
])("a lock on the stack %s", (_promise, text, stays) => {
  const state = openState(checkout);
  removeDeadLocks(state);
  const folder = join(state.backend, ".pulumi", "locks", "organization", "support-desk", STACK);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "0a1b.json"), text);
  removeDeadLocks(state);
  expect(existsSync(join(folder, "0a1b.json"))).toBe(stays);
});

test("a second command waits until the first one has stopped its emulator, and then has its own", async () => {
  const said = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  const state = openState(checkout);
  const seen: string[] = [];
  const act = (name: string) => async (_url: string, stays: boolean) => {
    seen.push(`${name} begins`);
    for (let turns = 0; turns < 50; turns++) await turn();
    expect([stays, await isRunning(state)]).toEqual([false, true]);
    seen.push(`${name} ends`);
  };
  const lock: typeof takeLock = (file, doing) =>
    takeLock(
      file,
      doing,
      () => undefined,
      () => turn(),
    );
  await Promise.all([withEmulator(state, act("one"), lock), withEmulator(state, act("two"), lock)]);
  said.mockRestore();
  expect(seen).toEqual(["one begins", "one ends", "two begins", "two ends"]);
  expect(await isRunning(state)).toBe(false);
});

describe("a request to end", () => {
  test("reaches the engine once, however many signals say it; a later one is another request", () => {
    const sent: unknown[] = [];
    let now = 0;
    const stop = passOnSignals({ kill: (signal) => sent.push(signal) > 0 }, () => now);
    // By emit: a real signal would also reach the test runner.
    process.emit("SIGINT");
    process.emit("SIGTERM");
    expect(sent).toEqual(["SIGINT"]);
    now += 5_000;
    process.emit("SIGINT");
    stop();
    process.emit("SIGUSR2");
    expect(sent).toEqual(["SIGINT", "SIGINT"]);
  });

  test("by Ctrl-C on the terminal does not reach the engine a second time: it has a process group of its own", async () => {
    const print = "process.stdout.write(String(require('child_process').execSync('ps -o pgid= -p ' + process.pid)))";
    const { stdout } = await run(process.execPath, ["-e", `${print}; console.log(process.pid)`], {
      cwd: checkout,
      env: process.env,
      output: "collect",
    });
    const [group, pid] = stdout.trim().split(/\s+/);
    expect(group).toBe(pid);
  });
});

test("a child's code, output and input are carried over, and a death by signal is 128 and more", async () => {
  const options = { cwd: checkout, env: process.env, output: "collect" } as const;
  const echo = await run("sh", ["-c", "cat; echo bad >&2; exit 3"], { ...options, input: "secret" });
  expect(echo).toEqual({ code: 3, stdout: "secret", stderr: "bad\n" });
  expect((await run("sh", ["-c", "kill -KILL $$"], options)).code).toBe(137);
});
