import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { newFolder } from "../support/new-folder";
import { runProcess, type Ended } from "../support/run-process";
import { FLEET, OF_NODE } from "./harness";

let folder: string;
/** A database with its tables and no run: to make one takes longer than a command. */
let blank: string | undefined;
const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const read = (path: string): string => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : "");

/** Makes a fleet of these projects, whose engine is a script: what it does for `up` and for `stack export`, in the project's folder. */
function make(names: readonly string[], up: string, plan: string, state = `echo '{"deployment":{}}'`): void {
  folder = newFolder();
  const stacks = JSON.stringify(names.map((name) => ({ name: `organization/${name}/prod` })));
  const script = `#!/bin/sh
case "$*" in
  "stack export"*) ${state} ;;
  stack*) echo '${stacks}' ;;
  version*) echo "\${PULUMI_IS:-v3.246.0}" ;;
  config*) cat > ../given ;;
  *) ${up} ;;
esac
`;
  write("bin/pulumi", script);
  chmodSync(join(folder, "bin", "pulumi"), 0o755);
  for (const name of names) write(`${name}/Pulumi.yaml`, `name: ${name}\nruntime: yaml\n`);
  write("fleet.yaml", plan);
  if (blank !== undefined) cpSync(blank, join(folder, ".state"), { recursive: true });
}

beforeAll(async () => {
  make([], "", "stacks: [{ project: '*' }]\n");
  const worker = spawn(process.execPath, [...OF_NODE, "worker"], { cwd: folder, env: environment() });
  let said = "";
  worker.stdout.on("data", (text) => {
    said += String(text);
    if (said.includes("takes part")) worker.kill("SIGINT");
  });
  await once(worker, "close");
  blank = join(folder, ".state");
}, 60_000);

const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
  ...more,
});
const fleet = (...args: string[]): Promise<Ended> => fleetWith({}, ...args);
const fleetWith = (more: NodeJS.ProcessEnv, ...args: string[]): Promise<Ended> =>
  runProcess(process.execPath, [...OF_NODE, ...args], folder, { environment: environment(more) });
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await pause(50);
};
/** An engine that runs until there is the file "go". */
const WAITING = "touch ../begun; until [ -e ../go ]; do sleep 0.05; done";

test("no more stacks of a platform run at a time than its limit, on each platform at once", async () => {
  const platforms = ["eu", "us"];
  const names = platforms.flatMap((platform) => [1, 2, 3, 4].map((at) => `${platform}-${at}`));
  // Waits until a second one of its platform has begun (or a fourth, after two), and a moment more.
  const up = `name=$(basename "$PWD")
log="../\${name%-*}.log"
echo + >> "$log"
wanted=$(( ($(grep -c + "$log") + 1) / 2 * 2 ))
for try in $(seq 200); do [ "$(grep -c + "$log")" -ge $wanted ] && break; sleep 0.05; done
sleep 0.3
echo - >> "$log"`;
  const stacks = platforms.map((each) => `  - { project: ${each}-*, labels: { platform: ${each} } }`);
  make(names, up, `stacks:\n${stacks.join("\n")}\nlimits: { concurrency: 8, perPlatform: 2 }\n`);
  const { code, output } = await fleet("up");
  expect([code, output]).toEqual([0, expect.stringContaining(": done; 8 succeeded")]);
  const mostOf = (platform: string): number => {
    let [running, most] = [0, 0];
    for (const sign of read(`${platform}.log`).trim().split("\n")) {
      running += sign === "+" ? 1 : -1;
      most = Math.max(most, running);
    }
    return most;
  };
  expect(platforms.map(mostOf)).toEqual([2, 2]);
}, 60_000);

/** Has a supervisor run an engine to its end. */
async function supervised(log: string): Promise<unknown> {
  const supervisor = fork(join(FLEET, "..", "supervisor.js"), [], {
    env: environment(),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  supervisor.send({ args: ["up"], folder, log });
  return new Promise((resolve) => {
    supervisor.on("message", (message: object) => {
      if ("code" in message) resolve(message);
      else supervisor.send({ go: true });
    });
    supervisor.on("exit", resolve);
  });
}

test("a log that cannot be written costs the log, and not the engine", async () => {
  make([], "for line in $(seq 1000); do echo $line; done; echo it has run", "");
  const end = await supervised("/dev/full");
  expect(end).toMatchObject({ code: 0, isStopped: false });
  expect(JSON.stringify(end)).toContain("it has run");
}, 60_000);

test("a lock that cannot be removed ends its stack", async () => {
  const lock = `echo "error: the stack is currently locked by 1 lock(s)."
echo "  lock: created by anna@$(uname -n) (pid $$) at $(date -u +%Y-%m-%dT%H:%M:%SZ)"`;
  const removal = `echo + >> ../removals; [ "$(grep -c + ../removals)" -gt 3 ] || { echo "error: no right to delete it"; exit 1; }; exit`;
  const up = `[ "$1" = cancel ] && { ${removal}; }; [ -e ../removals ] && [ "$(grep -c + ../removals)" -gt 3 ] || { ${lock}; exit 1; }`;
  make(["a"], up, "stacks: [{ project: a }]\n");
  const { code, output } = await fleet("up");
  expect([code, output]).toEqual([1, expect.stringMatching(/a\/prod +all +failed .* no right to delete it/)]);
}, 60_000);

test("a lock that the fleet left behind goes alone: not with what a person has taken meanwhile", async () => {
  const locked = `echo "error: the stack is currently locked by 1 lock(s)."
echo "  file://$(dirname "$PWD")/my%20states/.pulumi/locks/ours.json?no_tmp_dir=true: created by root@$(uname -n) (pid $$) at $(date -u +%Y-%m-%dT%H:%M:%SZ)"`;
  const up = `[ "$1" != cancel ] || { rm "../my states/.pulumi/locks"/*; exit; }
[ -e ../begun ] || { touch ../begun "../my states/.pulumi/locks/ours.json" "../my states/.pulumi/locks/annas.json"; ${locked}; exit 1; }
[ ! -e "../my states/.pulumi/locks/ours.json" ]`;
  make(["a"], up, "stacks: [{ project: a }]\n");
  write("my states/.pulumi/locks/none", "");
  const { code, output } = await fleet("up");
  expect([code, output]).toEqual([0, expect.stringContaining(": done; 1 succeeded")]);
  expect(existsSync(join(folder, "my states", ".pulumi", "locks", "annas.json"))).toBe(true);
}, 60_000);

test("what a killed engine left half-written is removed wherever the backend says that it keeps its states", async () => {
  const up = `case "$1" in whoami) echo "{\\"url\\":\\"file://$(dirname "$PWD")/states\\"}"; exit ;; esac
[ ! -e ../states/.pulumi/stacks/a/prod.json.attrs ] || { echo "error: failed to load checkpoint: EOF"; exit 1; }`;
  make(["a"], up, "stacks: [{ project: a }]\n");
  write("states/.pulumi/stacks/a/prod.json.attrs", "");
  const { code, output } = await fleet("up");
  expect([code, output]).toEqual([0, expect.stringContaining(": done; 1 succeeded")]);
}, 60_000);

test("no log and no report shows the password of an address in the environment", async () => {
  make(
    ["a"],
    'echo "error: $STATES, $PGPASSWORD and $db_password do not answer"; exit 1',
    "stacks: [{ project: a }]\n",
  );
  const address = "postgres://anna:the-pass-word-1@db/states";
  const secrets = { STATES: address, PGPASSWORD: "the-pass-word-2", db_password: "the-pass-word-3" };
  const { output } = await fleetWith(secrets, "up");
  const log = /^ {2}(\/.*\.log)$/m.exec(output)?.[1] ?? "no log";
  expect(output).toContain("do not answer");
  expect(readFileSync(log, "utf8")).toBe("error: [secret], [secret] and [secret] do not answer\n");
  expect(output).not.toContain("the-pass-word");
}, 60_000);

test("no engine, and so no program of a stack, gets what opens the fleet's own database", async () => {
  const said = 'echo "<$FLEET_KEY>" >> ../seen';
  make(["a"], said, "stacks: [{ project: a }]\n", `${said}; echo '{"deployment":{}}'`);
  const own = { FLEET_KEY: "the-key-of-the-fleet" };
  expect((await fleetWith(own, "up")).output).toContain("1 succeeded");
  expect(read("seen")).toBe("<>\n");
  expect((await fleetWith(own, "drift")).output).toContain("1 succeeded");
  expect(read("seen")).toMatch(/^(<>\n){2,}$/);
}, 60_000);

test("a supervisor that ends at once is not started for ever", async () => {
  make(["a"], "echo it has run", "stacks: [{ project: '*' }]\n");
  write("die.js", "if (process.argv[1].endsWith('supervisor.js')) process.exit(7);\n");
  const { code, output } = await fleetWith({ NODE_OPTIONS: `--require=${join(folder, "die.js")}` }, "up");
  expect([code, output]).toEqual([1, expect.stringContaining("last by the end of its supervisor (7)")]);
}, 60_000);

test("a rotation whose worker is killed behind the engine's change still asks who serves the new value", async () => {
  const up = "cp ../after.json ../state.json; [ -e ../go ] || { touch ../begun; exec sleep 60; }";
  make(["a"], up, "stacks: [{ project: '*' }]\n", "cat ../state.json");
  const type = "agent-platform:index:Deployment";
  const urn = `urn:pulumi:prod::a::${type}::desk`;
  const stateWith = (secretsRevisionId: string): string =>
    JSON.stringify({
      deployment: {
        resources: [{ urn, type, id: "d-1", custom: true, inputs: { name: "desk" }, outputs: { secretsRevisionId } }],
      },
    });
  write("state.json", stateWith("r-1"));
  write("after.json", stateWith("r-2"));
  write("value", "the-new-value");
  const first = spawn(process.execPath, [...OF_NODE, "rotate", "key"], {
    cwd: folder,
    env: environment(),
    stdio: ["pipe", "ignore", "ignore"],
  });
  first.stdin.end("the-new-value");
  await until(() => existsSync(join(folder, "begun")));
  first.kill("SIGKILL");
  write("go", "");
  // The value is in the database, and nobody can read it there, nor in a log.
  const found = spawnSync("grep", ["-rla", "the-new-value", join(folder, ".state")], { encoding: "utf8" });
  expect(found.stdout).toBe("");
  const { code, output } = await fleet("rotate", "key");
  expect([code, output]).toEqual([1, expect.stringMatching(/: stopped after 1 failure; 1 failed[^]*desk: not known/)]);
  // Nothing changes any more, and still nobody knows who serves it.
  const next = await fleet("retry", "--value-file", "value");
  expect([next.code, next.output]).toEqual([1, expect.stringMatching(/1 failed[^]*desk: not known/)]);
}, 120_000);

test("a rotation is not for a worker with another FLEET_KEY: it says so, and takes no stack", async () => {
  make(["a"], WAITING, "stacks: [{ project: '*' }]\n");
  write("value", "the-new-value");
  process.env["FLEET_KEY"] = "the key of the rotation";
  await cutOff("SIGKILL", "rotate", "key", "--value-file", "value");
  delete process.env["FLEET_KEY"];
  const other = { FLEET_KEY: "the key of another fleet" };
  for (const command of [["worker"], ["rotate", "key"]]) {
    const { code, output } = await fleetWith(other, ...command);
    expect([code, output]).toEqual([1, expect.stringContaining("FLEET_KEY is not the one")]);
  }
  write("go", "");
  const { output } = await fleetWith({ FLEET_KEY: "the key of the rotation" }, "rotate", "key");
  expect(output).toMatch(/: done; 1 succeeded/);
}, 60_000);

test("on a terminal, rotate asks for the value", async () => {
  make(["a"], "true", "stacks: [{ project: '*' }]\n");
  const line = [process.execPath, ...OF_NODE, "rotate", "key"].join(" ");
  const terminal = runProcess("script", ["-qefc", line, "/dev/null"], folder, {
    environment: environment(),
    input: "the-new-value\n\x04",
  });
  expect((await terminal).output).toMatch(/type the new value[^]*: done; 1 succeeded/);
  expect(read("given")).toBe("the-new-value");
}, 60_000);

test("approve names what goes on where no worker is alive; the report says who approved", async () => {
  make(["a"], "true", "stacks: [{ project: a }]\nwaves: [{ name: canary, gate: { approve: true } }]\n");
  const up = spawn(process.execPath, [...OF_NODE, "up"], { cwd: folder, env: environment() });
  let said = "";
  up.stdout.on("data", (text) => (said += String(text)));
  await until(() => said.includes("waits for approve"));
  up.kill("SIGKILL");
  await once(up, "close");
  await pause(1_500);
  const { code, output } = await fleetWith({ FLEET_LEASE_SECONDS: "1" }, "approve");
  expect([code, output]).toEqual([0, expect.stringContaining("canary is approved; no worker is alive: `")]);
  expect((await follow(advised(output)[0])).output).toMatch(/ goes on[^]*: done; 1 succeeded/);
  const by = `${userInfo().username}@${hostname()}`;
  expect((await fleet("status")).output).toContain(`The gate of canary was opened by ${by}.`);
  const { stdout } = await fleet("status", "--format", "json");
  expect(JSON.parse(stdout)).toMatchObject({ approved: { canary: by } });
}, 60_000);

test("cancel lets what runs end, and the rest untouched; retry brings up the rest, and names the log that there is", async () => {
  make(["a", "b", "c"], `${WAITING}; echo it has run`, "stacks: [{ project: '*' }]\nlimits: { concurrency: 1 }\n");
  const first = fleet("up");
  await until(() => existsSync(join(folder, "begun")));
  const cancelled = await fleet("cancel");
  expect([cancelled.code, cancelled.output]).toEqual([0, expect.stringContaining("what runs now ends")]);
  write("go", "");
  const ended = await first;
  expect([ended.code, ended.output]).toEqual([1, expect.stringMatching(/: cancelled; 1 succeeded, 2 untouched\n/)]);
  write("value", "a-value");
  const misplaced = await fleet("retry", "--value-file", "value");
  expect([misplaced.code, misplaced.output]).toEqual([2, expect.stringContaining("is no rotation")]);
  const retried = await fleet("retry");
  expect([retried.code, retried.output]).toEqual([0, expect.stringMatching(/: done; 3 succeeded\n/)]);
  const { stdout } = await fleet("status", "--format", "json");
  const logs = [...stdout.matchAll(/"log": "(.*)"/g)].map(([, path = ""]) => readFileSync(path, "utf8"));
  expect(logs).toEqual(Array(3).fill("it has run\n"));
}, 60_000);

test("the database is the folder's, whatever the way to it: by a link, and with another folder for temporary files", async () => {
  make(["a"], WAITING, "stacks: [{ project: a }]\n");
  const first = fleet("up");
  await until(() => existsSync(join(folder, "begun")));
  const link = join(newFolder(), "link");
  symlinkSync(folder, link);
  const environmentThere = environment({ TMPDIR: newFolder(), XDG_RUNTIME_DIR: undefined });
  const cancelled = await runProcess(process.execPath, [...OF_NODE, "cancel"], link, { environment: environmentThere });
  write("go", "");
  expect(cancelled.output).toContain("cancelled; what runs now ends");
  expect((await first).output).toContain(": cancelled; 1 succeeded");
}, 60_000);

test("a process that has the database open and does not answer is named, and nobody waits for it", async () => {
  make(["a"], WAITING, "stacks: [{ project: a }]\n");
  const first = spawn(process.execPath, [...OF_NODE, "up"], { cwd: folder, env: environment(), stdio: "ignore" });
  await until(() => existsSync(join(folder, "begun")));
  first.kill("SIGSTOP");
  try {
    const patience = environment({ FLEET_LEASE_SECONDS: "3" });
    const { code, output } = await runProcess(process.execPath, [...OF_NODE, "status"], folder, {
      environment: patience,
    });
    expect([code, output]).toEqual([1, expect.stringContaining("does not answer: end it")]);
  } finally {
    first.kill("SIGKILL");
    write("go", "");
  }
}, 60_000);

test("a gate holds as soon as a stack of its wave has failed, and a run that ends by an error forgets the value", async () => {
  const plan = `stacks: [{ project: '*' }]
waves: [{ name: canary, share: 66%, gate: { checks: passed } }, { name: rest }]
limits: { failures: 3 }
`;
  // The gate asks for a state a second time.
  const state = `[ -e asked ] && { printf 'no \\033[31mstate\\n' >&2; exit 1; }; touch asked; echo '{"deployment":{}}'`;
  make(["a", "b", "c"], `[ -e ../good ] || { echo "error: no luck"; exit 1; }`, plan, state);
  write("value", "the-new-value");
  const failed = await fleet("up");
  expect([failed.code, failed.output]).toEqual([
    1,
    expect.stringMatching(/: stopped at the gate of canary: 2 of its stacks failed;\s+2 failed, 1 untouched\n/),
  ]);
  write("good", "");
  const rotated = await fleet("rotate", "key", "--value-file", "value");
  expect([rotated.code, rotated.output]).toEqual([
    1,
    expect.stringMatching(/: failed: no state; 2 succeeded, 1 untouched\n/),
  ]);
  const database = join(folder, ".state", "fleet", "database");
  const count = `const { PGlite } = require("@electric-sql/pglite");
PGlite.create(${JSON.stringify(database)}).then((db) => db.query("SELECT * FROM fleet.sealed")).then(({ rows }) => console.log(rows.length, "sealed"));`;
  const { output } = await runProcess(process.execPath, ["-e", count], join(FLEET, ".."), {
    environment: environment(),
  });
  expect(output).toContain("0 sealed");
  expect(existsSync(join(folder, ".state", "fleet", "key"))).toBe(false);
}, 120_000);

/** The command lines that a text says to run. */
const advised = (text: string): string[] =>
  [...text.matchAll(/`(agent-platform-fleet [^`]*)`/g)].map(([, line = ""]) => line);
const follow = (line = "no advice"): Promise<Ended> =>
  runProcess(
    "/bin/sh",
    ["-c", line.replace("agent-platform-fleet", [process.execPath, ...OF_NODE].join(" "))],
    folder,
    {
      environment: environment(),
    },
  );

/** Runs a command of the fleet until it is time, and ends it by a signal, as a terminal does, with what it has started. */
async function interruptedAt(signal: NodeJS.Signals, isTime: (said: string) => boolean, ...args: string[]) {
  const options = { cwd: folder, env: environment(), detached: true };
  const run = spawn(process.execPath, [...OF_NODE, ...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [run.stdout, run.stderr]) stream.on("data", (text) => (said += String(text)));
  await until(() => isTime(said));
  process.kill(-(run.pid ?? 0), signal);
  await once(run, "close");
  return { said, code: run.exitCode };
}

/** The same, once its engine runs; what it has said. */
const cutOff = async (signal: NodeJS.Signals, ...args: string[]): Promise<string> =>
  (await interruptedAt(signal, () => existsSync(join(folder, "begun")), ...args)).said;

test("a Ctrl-C while a worker takes a run up again says what any other does, and nothing of a failure", async () => {
  make(["a"], WAITING, "stacks: [{ project: a }]\n");
  await cutOff("SIGINT", "up");
  const { said, code } = await interruptedAt("SIGINT", (text) => text.includes(" goes on\n"), "up");
  expect([code, said]).toEqual([130, expect.stringMatching(/ goes on\ninterrupted: .*\n$/)]);
}, 60_000);

test("a Ctrl-C while a stack is asked who serves the value ends the question, and not the stack, also while another engine takes its time", async () => {
  const slow = "trap 'sleep 3; exit 1' INT; touch ../slow; until [ -e ../go ]; do sleep 0.05; done";
  const up = `[ "$(basename "$PWD")" = a ] || { ${slow}; }`;
  const state = `until [ -e ../slow ]; do sleep 0.05; done; ${WAITING}; echo '{"deployment":{}}'`;
  make(["a", "b"], up, "stacks: [{ project: '*' }]\n", state);
  write("value", "the-new-value");
  await cutOff("SIGINT", "rotate", "key", "--value-file", "value");
  write("go", "");
  const { code, output } = await fleet("rotate", "key");
  expect([code, output]).toEqual([0, expect.stringMatching(/ goes on[^]*: done; 2 succeeded/)]);
}, 60_000);

test("the log of a stack that could not be compared has all that was said of it", async () => {
  make(["a"], "echo 'error: no luck' >&2; exit 1", "stacks: [{ project: a }]\n", "exit 1");
  const { output } = await fleet("drift");
  const log = /^ {2}(\/.*\.log)$/m.exec(output)?.[1] ?? "no log";
  expect(readFileSync(log, "utf8")).toMatch(/"outcome": "failed"[^]*The engine says:[^]*no luck/);
}, 60_000);

test("a stack whose worker was killed is not begun again once its run is cancelled", async () => {
  make(["a"], `echo "$1" >> ../said; ${WAITING}`, "stacks: [{ project: a }]\n");
  await cutOff("SIGKILL", "destroy", "--yes");
  await fleet("cancel");
  const { output: report } = await fleetWith({ FLEET_LEASE_SECONDS: "1" }, "status");
  expect(report).toMatch(/: cancelled; 1 failed\n[^]* it was cut off, and then the run was cancelled\n/);
  write("go", "");
  const { code, output } = await fleet("up");
  expect([code, output]).toEqual([0, expect.stringMatching(/: done; 1 succeeded/)]);
  // Whoever comes next would run what was left.
  await fleet("up");
  expect(read("said")).toBe("destroy\nup\nup\n");
}, 60_000);

test.each([
  ["destroy --yes", "destroy --yes"],
  ["retry", "up"],
  ["rotate key --value-file value --file eu.yaml", "rotate key --file eu.yaml"],
])(
  "whoever interrupts `%s` is told to run `%s`, which goes on",
  async (interrupted, goesOn) => {
    const plan = "stacks: [{ project: a }]\n";
    make(["a"], `[ ! -e ../bad ] || { echo "error: no luck"; exit 1; }; ${WAITING}`, plan);
    write("eu.yaml", plan);
    write("value", "the-new-value");
    if (interrupted === "retry") {
      write("bad", "");
      await fleet("up");
      rmSync(join(folder, "bad"));
    }
    const lines = advised(await cutOff("SIGINT", ...interrupted.split(" ")));
    expect(lines).toEqual([`agent-platform-fleet ${goesOn}`]);
    write("go", "");
    const { code, output } = await follow(lines[0]);
    expect([code, output]).toEqual([0, expect.stringMatching(/ goes on[^]*: done; 1 succeeded/)]);
  },
  120_000,
);

test("an unfinished run of another fleet file, or of another version, is refused by name, and what is advised works", async () => {
  make(["a"], WAITING, "stacks: [{ project: a }]\n");
  write("us.yaml", "stacks: [{ project: a }]\nlimits: { concurrency: 3 }\n");
  await cutOff("SIGKILL", "up");
  const other = await fleet("up", "--file", "us.yaml");
  expect([other.code, other.output]).toEqual([
    1,
    expect.stringMatching(/fleet\.yaml began up-\S+, and us\.yaml says something else/),
  ]);
  const older = join(newFolder(), "fleet", "dist");
  mkdirSync(older, { recursive: true });
  symlinkSync(join(FLEET, "..", "..", "..", "node_modules"), join(older, "node_modules"));
  writeFileSync(join(older, "main.js"), readFileSync(FLEET, "utf8").replace('"0.2.0"', '"0.1.9"'));
  const options = { environment: environment() };
  const { code, output } = await runProcess(process.execPath, [join(older, "main.js"), "up"], folder, options);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/version 0\.2\.0 with Pulumi v3\.246\.0 began up-\S+, and this is 0\.1\.9/),
  ]);
  const [goOn, end] = advised(other.output);
  expect([goOn, end, advised(output).at(-1)]).toEqual([
    `agent-platform-fleet up --file ${folder}/fleet.yaml`,
    "agent-platform-fleet cancel --file us.yaml",
    "agent-platform-fleet cancel",
  ]);
  write("go", "");
  expect((await follow(goOn)).output).toMatch(/ goes on[^]*: done; 1 succeeded/);
}, 120_000);

test("a worker without `pulumi`, or with another one than began the run, takes no stack: it says what to do", async () => {
  make(["a"], WAITING, "stacks: [{ project: a }]\n");
  await cutOff("SIGKILL", "up");
  const other = await fleetWith({ PULUMI_IS: "v3.200.1" }, "worker");
  expect([other.code, other.output]).toEqual([
    1,
    expect.stringMatching(
      /0\.2\.0 with Pulumi v3\.246\.0 began up-\S+, and this is 0\.2\.0 with Pulumi v3\.200\.1: go on/,
    ),
  ]);
  const without = await fleetWith({ PATH: newFolder() }, "worker");
  expect([without.code, without.output]).toEqual([1, expect.stringContaining("`pulumi` is not on PATH: install")]);
  write("go", "");
  expect((await fleet("up")).output).toMatch(/: done; 1 succeeded/);
}, 60_000);

test("a preview refuses the waves that `up` would refuse; a retry needs no project that is done", async () => {
  const plan = "stacks: [{ project: '*' }]\nwaves: [{ name: eu, labels: { region: eu } }, { name: rest }]\n";
  make(["a", "b"], `[ -e ../good ] || [ "$(basename "$PWD")" = a ] || { echo "error: no luck"; exit 1; }`, plan);
  const { code, output } = await fleet("preview");
  expect([code, output]).toEqual([1, expect.stringContaining("waves: eu has no stacks: none has the labels")]);
  write("fleet.yaml", "stacks: [{ project: '*' }]\nlimits: { concurrency: 1 }\n");
  expect((await fleet("up")).output).toMatch(/: stopped after 1 failure; 1 succeeded, 1 failed\n/);
  rmSync(join(folder, "a"), { recursive: true });
  write("good", "");
  expect((await fleet("retry")).output).toMatch(/: 1 stack in 1 wave\n[^]*: done; 2 succeeded\n/);
}, 60_000);
