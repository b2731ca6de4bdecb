import { fork, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { newFolder } from "../support/new-folder";
import { runProcess, type Ended } from "../support/run-process";
import { FLEET } from "./harness";

let folder: string;
const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const read = (path: string): string => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : "");

/** Makes a fleet of these projects, whose engine is a script: what it does for `up`, in the project's folder. */
function make(names: readonly string[], up: string, plan: string): void {
  folder = newFolder();
  const stacks = JSON.stringify(names.map((name) => ({ name: `organization/${name}/prod` })));
  write("bin/pulumi", `#!/bin/sh\n[ "$1" = stack ] && echo '${stacks}' && exit\n${up}`);
  chmodSync(join(folder, "bin", "pulumi"), 0o755);
  for (const name of names) write(`${name}/Pulumi.yaml`, `name: ${name}\nruntime: yaml\n`);
  write("fleet.yaml", plan);
}

const fleet = (...args: string[]): Promise<Ended> =>
  runProcess(process.execPath, [FLEET, ...args], folder, {
    environment: { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}` },
  });

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
echo - >> "$log"
`;
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

test("a log that cannot be written costs the log, and not the engine", async () => {
  const supervisor = fork(join(FLEET, "..", "supervisor.js"), [], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const args = ["-c", "for line in $(seq 1000); do echo $line; done; echo it has run"];
  supervisor.send({ command: "/bin/sh", args, folder: newFolder(), log: "/dev/full", secrets: [] });
  const end = await new Promise<unknown>((resolve) => {
    supervisor.on("message", (message: object) => {
      if ("code" in message) resolve(message);
      else supervisor.send({ go: true, input: "" });
    });
    supervisor.on("exit", resolve);
  });
  expect(end).toMatchObject({ code: 0, isStopped: false });
  expect(JSON.stringify(end)).toContain("it has run");
}, 60_000);

test("a rotation whose worker is killed behind the engine's change still asks who serves the new value", async () => {
  make(["a"], "", "stacks: [{ project: '*' }]\n");
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
  const stacks = JSON.stringify([{ name: "organization/a/prod" }]);
  write(
    "bin/pulumi",
    `#!/bin/sh
case "$*" in
  "stack export"*) cat ${folder}/state.json ;;
  stack*) echo '${stacks}' ;;
  config*) cat > ${folder}/given ;;
  *) cp ${folder}/after.json ${folder}/state.json; [ -e ${folder}/go ] || { touch ${folder}/begun; exec sleep 60; } ;;
esac
`,
  );
  const environment = { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}` };
  const first = spawn(process.execPath, [FLEET, "rotate", "key"], {
    cwd: folder,
    env: environment,
    stdio: ["pipe", "ignore", "ignore"],
  });
  first.stdin.end("the-new-value");
  while (!existsSync(join(folder, "begun"))) await pause(50);
  first.kill("SIGKILL");
  write("go", "");
  const { output } = await runProcess(process.execPath, [FLEET, "rotate", "key"], folder, {
    environment,
    input: "the-new-value",
  });
  expect(output).toMatch(/: done; 1 succeeded[^]*desk: not known/);
}, 120_000);

test("cancel lets what runs end, and the rest untouched; retry brings up the rest, and names the log that there is", async () => {
  const up = `touch begun; until [ -e ../go ]; do sleep 0.05; done; echo it has run\n`;
  make(["a", "b", "c"], up, "stacks: [{ project: '*' }]\nlimits: { concurrency: 1 }\n");
  const first = fleet("up");
  while (!["a", "b", "c"].some((name) => existsSync(join(folder, name, "begun")))) await pause(50);
  const cancelled = await fleet("cancel");
  expect([cancelled.code, cancelled.output]).toEqual([0, expect.stringContaining("what runs now ends")]);
  write("go", "");
  const ended = await first;
  expect([ended.code, ended.output]).toEqual([1, expect.stringMatching(/: cancelled; 1 succeeded, 2 untouched\n/)]);
  const retried = await fleet("retry");
  expect([retried.code, retried.output]).toEqual([0, expect.stringMatching(/: done; 3 succeeded\n/)]);
  const { stdout } = await fleet("status", "--format", "json");
  const logs = [...stdout.matchAll(/"log": "(.*)"/g)].map(([, path = ""]) => readFileSync(path, "utf8"));
  expect(logs).toEqual(Array(3).fill("it has run\n"));
}, 60_000);
