import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb";
import * as lang from "@pulumi/pulumi/proto/language_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { z } from "zod";
import { findCheckout } from "./layout";
import { newFolder } from "../../tests/support/new-folder";
import { isAlive } from "../base/lock";

const checkout = findCheckout();
let folder: string;
let host: ChildProcess;
let client: LanguageRuntimeClient;

/** A runner in the program's folder, in place of @pulumi/pulumi's, that notes how it was started. */
const RUNNER = `
const fs = require("node:fs");
const { PULUMI_CONFIG, PULUMI_CONFIG_SECRET_KEYS, PULUMI_NODEJS_TYPESCRIPT } = process.env;
fs.writeFileSync("started.tmp", JSON.stringify({ pid: process.pid, args: process.argv.slice(2), cwd: process.cwd(),
  env: { PULUMI_CONFIG, PULUMI_CONFIG_SECRET_KEYS, PULUMI_NODEJS_TYPESCRIPT } }));
fs.renameSync("started.tmp", "started.json");
console.log("program output");
const entry = process.argv.at(-1);
if (entry === "hang") setInterval(() => {}, 1000); else process.exit(Number(entry) || 0);
`;

beforeEach(async () => {
  folder = newFolder();
  for (const runner of ["run", "run-plugin", "run-policy-pack"]) {
    const place = join(folder, "node_modules", "@pulumi", "pulumi", "cmd", runner);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "index.js"), RUNNER);
  }
  await start(join(checkout, "tools", "engine", "language-host.js"));
});

afterEach(() => stop());

async function start(file: string, env = process.env): Promise<void> {
  host = spawn(process.execPath, [file, "127.0.0.1:1"], { cwd: checkout, env, stdio: ["ignore", "pipe", "inherit"] });
  const [port] = host.stdout === null ? [] : z.tuple([z.instanceof(Buffer)]).parse(await once(host.stdout, "data"));
  client = new LanguageRuntimeClient(`127.0.0.1:${String(port).trim()}`, credentials.createInsecure());
}

function stop(): void {
  client.close();
  host.kill("SIGKILL");
}

/** One answer as a promise. */
function call<R>(send: (done: (error: ServiceError | null, response: R) => void) => unknown): Promise<R> {
  return new Promise((resolve, reject) => {
    send((error, response) => {
      if (error === null) resolve(response);
      else reject(error);
    });
  });
}

function run(entry: string): Promise<lang.RunResponse> {
  return call<lang.RunResponse>((done) => client.run(runRequest(entry), done));
}

/** Links a generated package to the project in this folder. */
function link(): Promise<lang.LinkResponse> {
  const request = new lang.LinkRequest();
  const info = programInfo(".");
  info.setRootDirectory(folder);
  request.setInfo(info);
  const dependency = new lang.LinkRequest.LinkDependency();
  dependency.setPath("sdks/agent-platform");
  request.addPackages(dependency);
  return call<lang.LinkResponse>((done) => client.link(request, done));
}

function programInfo(entry: string): lang.ProgramInfo {
  const info = new lang.ProgramInfo();
  info.setRootDirectory("/root-of-project");
  info.setProgramDirectory(folder);
  info.setEntryPoint(entry);
  return info;
}

function runRequest(entry: string): lang.RunRequest {
  const request = new lang.RunRequest();
  request.setInfo(programInfo(entry));
  request.setPwd(folder);
  request.setMonitorAddress("127.0.0.1:2");
  request.setProject("p");
  request.setStack("s");
  request.setOrganization("o");
  request.setParallel(7);
  request.setDryrun(true);
  request.getConfigMap().set("p:key", "value");
  request.setConfigsecretkeysList(["p:key"]);
  return request;
}

function started(): unknown {
  return JSON.parse(readFileSync(join(folder, "started.json"), "utf8"));
}

test.each([
  ["0", "", false],
  ["5", "Program exited with non-zero exit code: 5", false],
  ["32", "", true],
])("a program that ends with %s gives error %j and bail %j", async (entry, error, bail) => {
  const response = await run(entry);
  expect([response.getError(), response.getBail()]).toEqual([error, bail]);
});

test("the program's runner gets the engine's addresses, the stack and its configuration", async () => {
  await run("0");
  const flags =
    "--monitor 127.0.0.1:2 --engine 127.0.0.1:1 --project p --stack s --organization o --root-directory /root-of-project";
  expect(started()).toMatchObject({
    args: [...flags.split(" "), "--pwd", folder, "--parallel", "7", "--dry-run", "true", "0"],
    cwd: folder,
    env: {
      PULUMI_CONFIG: '{"p:key":"value"}',
      PULUMI_CONFIG_SECRET_KEYS: '["p:key"]',
      PULUMI_NODEJS_TYPESCRIPT: "true",
    },
  });
});

test("a policy pack is started in its own folder, and its output and exit code come back", async () => {
  const request = new lang.RunPluginRequest();
  request.setInfo(programInfo("."));
  request.setKind("analyzer");
  request.setPwd(checkout);
  request.setArgsList(["engine-address"]);
  const answers: lang.RunPluginResponse[] = [];
  const stream = client.runPlugin(request).on("data", (answer: lang.RunPluginResponse) => answers.push(answer));
  await once(stream, "end");
  expect(Buffer.concat(answers.map((answer) => Buffer.from(answer.getStdout_asU8()))).toString()).toBe(
    "program output\n",
  );
  expect(answers.at(-1)?.getExitcode()).toBe(0);
  expect(started()).toMatchObject({ args: ["engine-address", folder], cwd: folder });
});

test("it names its version", async () => {
  const info = await call<PluginInfo>((done) => client.getPluginInfo(new Empty(), done));
  expect(info.getVersion()).toMatch(/^3\./);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends it and the running program", async (signal) => {
  const file = join(folder, "started.json");
  const appeared = new Promise<void>((resolve) => {
    const watcher = watch(folder, () => {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    });
  });
  const running = run("hang").catch(() => undefined);
  await appeared;
  const { pid } = z.object({ pid: z.number() }).parse(started());
  host.kill(signal);
  await once(host, "exit");
  expect(isAlive(pid)).toBe(false);
  await running;
});

describe("as pulumi-language-python", () => {
  beforeEach(async () => {
    stop();
    const file = join(folder, "pulumi-language-python");
    copyFileSync(join(checkout, "tools", "engine", "language-host.js"), file);
    await start(file);
  });

  const runWith = (options: Record<string, string>) => {
    const request = runRequest(".");
    const info = programInfo(".");
    info.setRootDirectory(folder);
    info.setOptions(Struct.fromJavaScript(options));
    request.setInfo(info);
    return call<lang.RunResponse>((done) => client.run(request, done));
  };

  test("a program runs in the project's virtual environment, by the runner beside the host", async () => {
    mkdirSync(join(folder, "venv", "bin"), { recursive: true });
    const python = join(folder, "venv", "bin", "python");
    writeFileSync(python, '#!/bin/sh\necho "$PULUMI_CONFIG" "$@" > started\nexit 32\n');
    chmodSync(python, 0o755);
    expect((await runWith({ virtualenv: "venv" })).getBail()).toBe(true);
    const [configuration, runner, ...args] = readFileSync(join(folder, "started"), "utf8").trim().split(" ");
    expect([configuration, runner]).toEqual(['{"p:key":"value"}', join(folder, "pulumi-language-python-exec")]);
    expect(args.join(" ")).toMatch(
      /^--monitor 127\.0\.0\.1:2 --engine 127\.0\.0\.1:1 --project p .* --root_directory \S+ .* --dry_run true \.$/,
    );
  });

  test("a generated package is named in requirements.txt, once", async () => {
    for (const before of ["pulumi==3.246.0", "pulumi==3.246.0\nsdks/agent-platform\n"]) {
      writeFileSync(join(folder, "requirements.txt"), before);
      await link();
      expect(readFileSync(join(folder, "requirements.txt"), "utf8")).toBe("pulumi==3.246.0\nsdks/agent-platform\n");
    }
  });

  test("packages are installed by the pip of the project's virtual environment", async () => {
    mkdirSync(join(folder, "venv", "bin"), { recursive: true });
    const python = join(folder, "venv", "bin", "python");
    writeFileSync(python, '#!/bin/sh\necho "$@"\n');
    chmodSync(python, 0o755);
    const request = new lang.InstallDependenciesRequest();
    const info = programInfo(".");
    info.setRootDirectory(folder);
    info.setProgramDirectory(folder);
    info.setOptions(Struct.fromJavaScript({ virtualenv: "venv" }));
    request.setInfo(info);
    let output = "";
    const installing = client.installDependencies(request);
    installing.on("data", (part: lang.InstallDependenciesResponse) => {
      output += Buffer.from(part.getStdout_asU8()).toString();
    });
    await once(installing, "end");
    expect(output).toBe("-m pip install --disable-pip-version-check -r requirements.txt\n");
  });

  test("where the checkout is not built, generating a package says what to run", async () => {
    const generating = call<lang.GeneratePackageResponse>((done) =>
      client.generatePackage(new lang.GeneratePackageRequest(), done),
    );
    await expect(generating).rejects.toThrow(/generator\.js is not there: run `npm run build` in /);
  });

  test.each([
    ["the environment is still to be made", { virtualenv: "venv" }, /venv is not there: run `python3 -m venv venv`/],
    ["it knows no other toolchain", { toolchain: "poetry" }, /knows the toolchain pip, and not poetry/],
  ])("%s", async (_reason, options, message) => {
    await expect(runWith(options)).rejects.toThrow(message);
  });
});

/** A host for Go, beside a `go` that is this script. */
async function startForGo(script: string): Promise<void> {
  stop();
  const file = join(folder, "pulumi-language-go");
  copyFileSync(join(checkout, "tools", "engine", "language-host.js"), file);
  writeFileSync(join(folder, "go"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "go"), 0o755);
  await start(file, { ...process.env, PATH: `${folder}:${process.env["PATH"]}` });
}

test("as pulumi-language-go, it has the project's go.mod replace the module of a generated package", async () => {
  await startForGo('echo "$PWD: $@" > asked');
  mkdirSync(join(folder, "sdks", "agent-platform", "agentplatform"), { recursive: true });
  writeFileSync(join(folder, "sdks", "agent-platform", "go.mod"), "module example.com/of-package\n\ngo 1.25\n");
  expect((await link()).getImportInstructions()).toBe('import "example.com/of-package/agentplatform"');
  const asked = readFileSync(join(folder, "asked"), "utf8");
  expect(asked).toBe(`${folder}: mod edit -replace=example.com/of-package=./sdks/agent-platform\n`);
});

test("as pulumi-language-go, a program is compiled, and told of the run by its environment", async () => {
  writeFileSync(join(folder, "program"), "#!/bin/sh\nenv | grep ^PULUMI_ | sort > started\nexit 32\n");
  chmodSync(join(folder, "program"), 0o755);
  await startForGo('[ "$1 $2 $4" = "build -o ." ] && cp program "$3"');
  expect((await run(".")).getBail()).toBe(true);
  const told = readFileSync(join(folder, "started"), "utf8");
  for (const [name, value] of Object.entries({
    CONFIG: '{"p:key":"value"}',
    CONFIG_SECRET_KEYS: '["p:key"]',
    DRY_RUN: "true",
    ENGINE: "127.0.0.1:1",
    MONITOR: "127.0.0.1:2",
    ORGANIZATION: "o",
    PARALLEL: "7",
    PROJECT: "p",
    ROOT_DIRECTORY: "/root-of-project",
    STACK: "s",
  }))
    expect(told).toContain(`PULUMI_${name}=${value}\n`);
});
