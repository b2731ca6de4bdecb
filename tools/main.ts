import { statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { messageOf } from "../provider/base/errors";
import { findCheckout } from "./engine/layout";
import { logToStderr as log } from "./engine/ways";

// What `npm run` starts in a checkout, at the root of the project: each command loads only what it needs.

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<unknown>>> = {
  /** `npm start` and the commands beside it. */
  try: async ([name = "start"]) => {
    if (name === "platform") return (await import("./try/emulator")).keepPlatform(findCheckout());
    return (await import("./try/commands")).runTryCommand(name, findCheckout());
  },

  /** Prints what belongs at the front of PATH: the folder of the engine, and with --yaml that of the language host of YAML programs. Progress goes to standard error. */
  engine: async (args) => {
    const unknown = args.find((each) => each !== "--yaml");
    if (unknown !== undefined) throw new Error(`unknown argument "${unknown}": the only one is --yaml`);
    const { ensureEngine } = await import("./engine/index");
    const engine = await ensureEngine();
    process.stderr.write(`Pulumi ${engine.version} (${engine.source}); its programs are in ${engine.bin}\n`);
    const folders = [engine.bin];
    if (args.includes("--yaml")) {
      const { ensureYamlHost } = await import("./engine/yaml-host");
      folders.push(await ensureYamlHost(engine));
    }
    process.stdout.write(`${folders.join(delimiter)}\n`);
  },

  /** Installs the servers that the tests of backends use. What cannot be had gets one line. */
  backends: async () => {
    let code = 0;
    for (const kind of (await import("./backends/kinds")).BACKENDS) {
      try {
        console.log(`${kind.name}: ${await kind.ensure()}`);
      } catch (error) {
        console.error(`!!! NO ${kind.name}: ${messageOf(error)}`);
        code = 1;
      }
    }
    return code;
  },

  /** Finds Chromium, or fetches it once. */
  browser: async () => {
    const { program, source } = await (await import("./browser/find")).ensureChromium();
    console.log(`Chromium, from ${source}: ${program}`);
  },

  /** Runs the tests of the official clients on the emulator. */
  official: async (args) => {
    const { findPython, OLDEST_PYTHON } = await import("./official/python");
    const { runOfficialClients } = await import("./official/run");
    const checkout = findCheckout();
    const python = findPython(process.env);
    if (python === undefined) throw new Error(`There is no Python ${OLDEST_PYTHON} or newer, with venv, on PATH.`);
    const cli = join(checkout, "dist", "cli", "main.js");
    return (await runOfficialClients({ checkout, cli, python, log, output: "terminal", args })).code;
  },

  /** Writes the page of the command line, before the site is built. */
  docs: async () => writeFileSync("docs/cli.md", await (await import("./docs/cli-page")).cliPage()),

  /** What the build makes of the compiled code and the docs: the plugin's script, and the package's skill file. */
  build: async () => {
    const checkout = findCheckout();
    await (await import("./release/plugin")).writeScript(checkout, join(checkout, "dist", "plugin"));
    (await import("./docs/skill")).writeSkill(checkout);
  },

  /** Makes all artefacts of a release in .state/release. */
  release: async (args) => {
    const checkout = findCheckout();
    if (args.join(" ") !== "--dry-run") {
      throw new Error(
        "Only the forge's workflow publishes, with its own tokens and after a dry run.\n" +
          "To make the artefacts here: npm run release -- --dry-run",
      );
    }
    const { commitTime, pathsOf } = await import("./release/tree");
    const { makeRelease } = await import("./release/release");
    const place = { checkout, env: process.env, log, time: await commitTime({ checkout, env: process.env }) };
    const folder = join(checkout, ".state", "release");
    const missing = await makeRelease(place, folder);
    // Without the files of the Go module's folder, which are also in its archive.
    for (const path of pathsOf(folder).filter((each) => each.split("/").length < 3)) {
      const kilobytes = Math.ceil(statSync(join(folder, path)).size / 1000);
      process.stdout.write(`${String(kilobytes).padStart(7)} kB  ${path}\n`);
    }
    for (const sentence of missing) log(sentence);
    log("Nothing was published. The artefacts are in .state/release.");
  },
};

/** Runs a command; a number that it gives is the exit code. Its error goes to standard error as one message, with exit code 1. */
async function main([name = "", ...args]: readonly string[]): Promise<void> {
  try {
    const command = COMMANDS[name];
    if (command === undefined) throw new Error(`unknown command "${name}": one of ${Object.keys(COMMANDS).join(", ")}`);
    const code = await command(args);
    if (typeof code === "number") process.exitCode = code;
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}

void main(process.argv.slice(2));
