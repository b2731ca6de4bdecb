#!/usr/bin/env node
// The language host for Node, Python and Go beside an engine built from source: the official ones ship with the CLI's download only.
// Its file's name says which language it is for: the engine looks for pulumi-language-nodejs, pulumi-language-python or pulumi-language-go.
// The engine starts it in the program's folder, reads a port from the first line it prints, and calls LanguageRuntime on it.
"use strict";
const { execFileSync, spawn } = require("node:child_process");
const fs = require("node:fs");
const { createRequire } = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { setInterval, setTimeout } = require("node:timers");

// A language's runner exits with 32 when the user has already seen the error.
const EXIT_ALREADY_REPORTED = 32;
const [, LANGUAGE = "nodejs"] = /^pulumi-language-(\w+)$/.exec(path.basename(module.filename)) ?? [];
const IS_PYTHON = LANGUAGE === "python";
const IS_GO = LANGUAGE === "go";
/** The address of the engine, which comes last. */
const ENGINE = process.argv.at(-1);
const MISSING = "@pulumi/pulumi was not found: run `npm install` in the program's folder";

const here = path.dirname(module.filename);
// Installed in the cache, the folder's package.json names a checkout: it has @pulumi/pulumi, for programs that are not installed yet, and the generator of SDKs.
const { checkout = here } = readJson(path.join(here, "..", "package.json"));
const origins = [process.cwd(), checkout];
const fromPulumi = createRequire(resolveFirst(origins, "@pulumi/pulumi/package.json"));
const { version } = fromPulumi("@pulumi/pulumi/package.json");
const grpc = fromPulumi("@grpc/grpc-js");
const lang = fromPulumi("@pulumi/pulumi/proto/language_pb.js");
const plugin = fromPulumi("@pulumi/pulumi/proto/plugin_pb.js");
const { LanguageRuntimeService } = fromPulumi("@pulumi/pulumi/proto/language_grpc_pb.js");

const children = new Set();

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

function resolveFirst(folders, name) {
  for (const folder of folders) {
    try {
      return createRequire(path.join(folder, "_")).resolve(name);
    } catch {
      // The next folder may have it.
    }
  }
  throw new Error(MISSING);
}

function optionsOf(info) {
  return info?.getOptions()?.toJavaScript() ?? {};
}

/** Starts a child that ends with the call, and with this process. `done` gets the exit code, or 1 when it cannot start. */
function start(call, command, args, settings, done) {
  const child = spawn(command, args, settings);
  children.add(child);
  const finish = (code) => {
    if (children.delete(child)) done(code ?? 1);
  };
  child.on("error", (error) => {
    process.stderr.write(`${command} did not start: ${error.message}\n`);
    finish(1);
  });
  // With pipes, "close" comes after the last output; with inherited streams there is nothing to wait for.
  child.on(settings.stdio === "inherit" ? "exit" : "close", finish);
  call.on("cancelled", () => stop(child));
  return child;
}

function stop(child) {
  // At SIGINT, Python would print a traceback.
  child.kill("SIGTERM");
  setTimeout(() => child.kill("SIGKILL"), 3000).unref();
}

function shutDown() {
  if (children.size === 0) process.exit(0);
  for (const child of children) {
    child.once("exit", () => setTimeout(() => process.exit(0), 0));
    child.kill("SIGTERM");
  }
  // Under the engine's own limit of 5 s, after which it kills this process and would leave a deaf child behind.
  setTimeout(() => {
    for (const child of children) child.kill("SIGKILL");
    process.exit(0);
  }, 3000).unref();
}

/** What a program is told about the run, by name; what the engine did not say is left out. */
function settingsOf(request, program) {
  const settings = {
    monitor: request.getMonitorAddress(),
    engine: ENGINE,
    project: request.getProject(),
    stack: request.getStack(),
    organization: request.getOrganization(),
    "root-directory": request.getInfo()?.getRootDirectory(),
    pwd: request.getPwd() || program,
    parallel: String(request.getParallel()),
    "dry-run": String(request.getDryrun()),
  };
  return Object.entries(settings).filter(([, value]) => value);
}

const entryOf = (request) => request.getInfo()?.getEntryPoint() || request.getProgram() || ".";

function runArguments(request, program) {
  const given = settingsOf(request, program).flatMap(([name, value]) => [
    `--${IS_PYTHON ? name.replaceAll("-", "_") : name}`,
    value,
  ]);
  return [...given, entryOf(request), ...request.getArgsList()];
}

/** Go's SDK takes from the environment what the runners of the others take as flags. */
function runVariables(request, program) {
  const given = settingsOf(request, program);
  return Object.fromEntries(given.map(([name, value]) => [`PULUMI_${name.toUpperCase().replaceAll("-", "_")}`, value]));
}

function nodeArguments(options) {
  return String(options.nodeargs ?? "")
    .split(" ")
    .filter(Boolean);
}

/** The Python of the project's virtual environment, which may be still to be made, or the one on PATH. */
function wantedPython(info, { virtualenv, toolchain = "pip" }) {
  if (toolchain !== "pip") throw new Error(`this language host knows the toolchain pip, and not ${toolchain}`);
  if (!virtualenv) return "python3";
  return path.join(path.resolve(info.getRootDirectory(), String(virtualenv)), "bin", "python");
}

function pythonOf(info, options) {
  const { virtualenv } = options;
  const python = wantedPython(info, options);
  if (!virtualenv || fs.existsSync(python)) return python;
  const [make, install] = [`python3 -m venv ${virtualenv}`, `${virtualenv}/bin/pip install -r requirements.txt`];
  throw new Error(`the virtual environment ${virtualenv} is not there: run \`${make}\`, then \`${install}\``);
}

function run(call, callback) {
  const request = call.request;
  const info = request.getInfo();
  const program = info?.getProgramDirectory() || request.getPwd() || process.cwd();
  const options = optionsOf(info);
  const env = {
    ...process.env,
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toArray())),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    PULUMI_NODEJS_TYPESCRIPT: String(options.typescript !== false),
    ...(options.tsconfig ? { PULUMI_NODEJS_TSCONFIG_PATH: String(options.tsconfig) } : {}),
  };
  const settings = { cwd: program, env, stdio: "inherit" };
  const done = (code) => {
    const response = new lang.RunResponse();
    if (code === EXIT_ALREADY_REPORTED) response.setBail(true);
    else if (code !== 0) response.setError(`Program exited with non-zero exit code: ${code}`);
    callback(null, response);
  };
  if (IS_GO) return buildAndRun(call, { ...settings, env: { ...env, ...runVariables(request, program) } }, done);
  const [command, before] = IS_PYTHON
    ? [pythonOf(info, options), [path.join(here, "pulumi-language-python-exec")]]
    : [process.execPath, [...nodeArguments(options), resolveFirst([program, ...origins], "@pulumi/pulumi/cmd/run")]];
  start(call, command, [...before, ...runArguments(request, program)], settings, done);
}

/** Compiles a program in Go into a folder of its own, which goes when the program has ended. */
function buildAndRun(call, settings, done) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "program-"));
  const file = path.join(folder, "program");
  const end = (code) => {
    fs.rmSync(folder, { recursive: true, force: true });
    done(code);
  };
  start(call, "go", ["build", "-o", file, entryOf(call.request)], settings, (code) => {
    if (code !== 0) end(code);
    else start(call, file, call.request.getArgsList(), settings, end);
  });
}

/** Policy packs and plugins written in Node: their output goes back through the call, not to this process's own streams. */
function runPlugin(call) {
  const request = call.request;
  const info = request.getInfo();
  const program = info?.getProgramDirectory() || request.getProgram();
  const analyzer = request.getKind() === "analyzer";
  const runner = resolveFirst(
    [program, ...origins],
    `@pulumi/pulumi/cmd/${analyzer ? "run-policy-pack" : "run-plugin"}`,
  );
  const own = request.getArgsList();
  const args = [...nodeArguments(optionsOf(info)), runner, ...(analyzer ? [...own, program] : [program, ...own])];
  const given = request.getEnvList().map((entry) => [entry.split("=", 1)[0], entry.slice(entry.indexOf("=") + 1)]);
  const settings = {
    // @pulumi/policy reads the pack's package.json from the working directory; the call names the stack's folder.
    cwd: analyzer ? program : request.getPwd() || program,
    env: { ...process.env, ...Object.fromEntries(given) },
    stdio: ["ignore", "pipe", "pipe"],
  };
  stream(call, lang.RunPluginResponse, process.execPath, args, settings, (code) => {
    const last = new lang.RunPluginResponse();
    last.setExitcode(code);
    call.write(last);
    call.end();
  });
}

function stream(call, Response, command, args, settings, done) {
  const child = start(call, command, args, settings, done);
  child.stdout.on("data", (data) => {
    const response = new Response();
    response.setStdout(data);
    call.write(response);
  });
  child.stderr.on("data", (data) => {
    const response = new Response();
    response.setStderr(data);
    call.write(response);
  });
}

function installDependencies(call) {
  const info = call.request.getInfo();
  const folder = info?.getProgramDirectory() || call.request.getDirectory();
  const commands = installations[LANGUAGE](info);
  const settings = { cwd: folder, stdio: ["ignore", "pipe", "pipe"] };
  const next = ([command, ...args]) =>
    stream(call, lang.InstallDependenciesResponse, command, args, settings, (code) => {
      if (code !== 0) {
        const details = `${[command, ...args].join(" ")} in ${folder} ended with exit code ${code}`;
        call.destroy({ code: grpc.status.UNKNOWN, details });
      } else if (commands.length > 0) next(commands.shift());
      else call.end();
    });
  next(commands.shift());
}

/** The commands that install what a program needs. */
const installations = {
  nodejs: (info) => [[String(optionsOf(info).packagemanager ?? "npm"), "install"]],
  python: pythonInstallation,
  go: () => [["go", "mod", "tidy"]],
};

/** The commands that install what requirements.txt names, into a virtual environment that they make where it is missing. */
function pythonInstallation(info) {
  const python = wantedPython(info, optionsOf(info));
  const made = python === "python3" || fs.existsSync(python);
  const environment = path.dirname(path.dirname(python));
  const pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "-r", "requirements.txt"];
  return [...(made ? [] : [["python3", "-m", "venv", environment]]), pip];
}

/** The SDK of a schema, for `pulumi package add` and `gen-sdk`: by the checkout's generator, which is Pulumi's own. */
function generatePackage(call, callback) {
  const generator = path.join(checkout, "dist", "tools", "release", "generator.js");
  if (!fs.existsSync(generator)) throw new Error(`${generator} is not there: run \`npm run build\` in ${checkout}`);
  const draft = fs.mkdtempSync(path.join(os.tmpdir(), "schema-"));
  const schema = path.join(draft, "schema.json");
  fs.writeFileSync(schema, call.request.getSchema());
  const place = { checkout, env: process.env, log: (line) => process.stderr.write(`${line}\n`) };
  const written = require(generator).writeSdk(place, LANGUAGE, call.request.getDirectory(), schema);
  written
    .finally(() => fs.rmSync(draft, { recursive: true, force: true }))
    .then(
      () => callback(null, new lang.GeneratePackageResponse()),
      (error) => callback({ code: grpc.status.UNKNOWN, details: error.message }),
    );
}

/** Has the project use generated packages, and says how. */
const links = {
  python(root, paths) {
    const file = path.join(root, "requirements.txt");
    const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trimEnd().split("\n") : [];
    fs.writeFileSync(file, `${[...lines, ...paths.filter((each) => !lines.includes(each))].join("\n")}\n`);
    return [`requirements.txt names ${paths.join(", ")}`];
  },
  // Beside its go.mod, a generated package has one folder: what a program imports.
  go: (root, paths) =>
    paths.map((each) => {
      const [, module] = /^module (\S+)$/m.exec(fs.readFileSync(path.join(root, each, "go.mod"), "utf8"));
      execFileSync("go", ["mod", "edit", `-replace=${module}=./${each}`], { cwd: root });
      const found = fs.readdirSync(path.join(root, each), { withFileTypes: true }).find((one) => one.isDirectory());
      return `import "${module}/${found.name}"`;
    }),
};

function link(call, callback) {
  if (!links[LANGUAGE]) throw new Error("this language host links packages for Python and Go alone");
  const paths = call.request.getPackagesList().map((each) => each.getPath());
  const response = new lang.LinkResponse();
  response.setImportInstructions(links[LANGUAGE](call.request.getInfo().getRootDirectory(), paths).join("\n"));
  callback(null, response);
}

function getPluginInfo(_call, callback) {
  const info = new plugin.PluginInfo();
  info.setVersion(version);
  callback(null, info);
}

/** A fault in a handler becomes the call's error: the engine shows it, and this process lives on. */
function guarded(handler) {
  return (call, callback) => {
    try {
      handler(call, callback);
    } catch (error) {
      const fault = { code: grpc.status.UNKNOWN, details: error.message };
      if (callback) callback(fault);
      else call.destroy(fault);
    }
  };
}

const answer = (Response) => (_call, callback) => callback(null, new Response());
const handlers = {
  run,
  runPlugin,
  installDependencies,
  generatePackage,
  link,
  getPluginInfo,
  // Empty: the engine fetches a plugin when the program's first resource asks for it.
  getRequiredPackages: answer(lang.GetRequiredPackagesResponse),
  runtimeOptionsPrompts: answer(lang.RuntimeOptionsResponse),
};

const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
server.addService(
  LanguageRuntimeService,
  Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, guarded(handler)])),
);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, shutDown);
// A killed engine cannot say goodbye: its children get another parent.
const engine = process.ppid;
setInterval(() => {
  if (process.ppid !== engine) shutDown();
}, 1000).unref();
