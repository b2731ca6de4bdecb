import { type Command, InvalidArgumentError, Option } from "commander";
import { existsSync, openSync, realpathSync, writeSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { z } from "zod";
import { declareFormat, FORMATS, notEmpty, numberLike, repeatable, withHelp } from "../base/options";
import { CliError } from "../base/cli-error";
import { lockOf } from "../base/lock";
import { AGENT_HELP, agentLines, missingAgents, oneMoreAgent } from "./agent-flag";
import { chooseKey, type ChosenKey } from "./api-key";
import type { LogEntry } from "../../emulator/base/exchange";
import { faultSchema, readFault } from "../../emulator/faults/fault-schema";
import { type Emulator, startEmulator } from "../../emulator/start";
import { requireWritable } from "../../emulator/store/persistence";
import type { Fault } from "../../emulator/faults/fault";
import { faultKinds } from "../../emulator/faults/options";
import { messageOf } from "../../provider/base/errors";

const options = z.object({
  port: z.number(),
  data: z.string().optional(),
  contract: z.enum(["extended", "documented"]),
  basePath: z.string().optional(),
  secrets: z.enum(["values", "names"]),
  buildSeconds: z.number(),
  agentStartSeconds: z.number(),
  heartbeatSeconds: z.number(),
  format: z.enum(FORMATS),
  apiKey: z.string().optional(),
  apiKeyFile: z.string().optional(),
  log: z.string().optional(),
  limits: z.boolean(),
  serverVersion: z.string().optional(),
  sandboxQuota: z.number().optional(),
  agent: z.record(z.string(), z.union([z.string(), z.object({ command: z.string() })])).default({}),
  fault: z.array(faultSchema).default([]),
  seed: z.number(),
  console: z.boolean(),
});

type CommandOptions = z.infer<typeof options>;
type Stop = () => Promise<void>;

/** Declares the options of `pulumi-agent-platform emulator` and what it does. @param stopLater Gets what stops it again: by default, a signal does. */
export function defineCommand(command: Command, stopLater: (stop: Stop) => void = stopOnSignal): void {
  command
    .option("--port <number>", "port on 127.0.0.1; 0 picks a free one", portNumber, 0)
    .option("--data <file>", "keep the data in this file across restarts (it holds secrets; mode 0600)")
    .addOption(
      new Option("--contract <name>", "endpoints to serve").choices(["extended", "documented"]).default("extended"),
    )
    .option("--base-path <path>", "also serve the control plane below this path (default: /api-host)", basePath)
    .addOption(
      new Option("--secrets <what>", "what answers show of a deployment's secrets")
        .choices(["values", "names"])
        .default("values"),
    )
    .option("--build-seconds <seconds>", "time until a revision is DEPLOYED, unless a command serves it", seconds, 5)
    .option("--agent-start-seconds <seconds>", "how long a new agent answers 503 after DEPLOYED", seconds, 0)
    .option("--heartbeat-seconds <seconds>", "time between two heartbeats of an agent's stream; 0 is none", seconds, 5);
  declareFormat(command, "format of what it prints")
    .option("--api-key <value>", "a throw-away API key: other users of the machine can see it")
    .addOption(new Option("--api-key-file <file>", "read the API key from this file").conflicts("apiKey"))
    .option("--log <file>", "append each request, a line of JSON without secrets")
    .option("--no-limits", "do not enforce the platform's rate limits")
    .option("--sandbox-quota <number>", "how many sandbox templates may exist, before 429", wholeNumber)
    .option("--server-version <version>", "the agent server of new revisions (default: 0.9.1)", notEmpty("a version"))
    .option("--no-console", "do not serve the console")
    .option("--agent <name=server>", "a server of your own as an agent (see below); repeatable", oneMoreAgent)
    .option("--fault <json>", "spoil requests (see below); repeatable", repeatable(parseFault))
    .option("--seed <number>", "the same seed repeats the same random faults", wholeNumber, 1);
  withHelp(
    command,
    "\nExample: pulumi-agent-platform emulator --port 8123 --data .state/platform.json" +
      "\n\nWithout an option for the key, it is AGENT_PLATFORM_EMULATOR_API_KEY, or else a random one in a file of mode 0600." +
      "\nA revision fails with emulator-fail-create, emulator-fail-build or emulator-fail-deploy in its image_uri, repo_ref or " +
      "langgraph_config_path; with emulator-stuck it stays BUILDING; with emulator-fail-graph its agent's runs fail." +
      "\nEach agent has the graphs agent and boom." +
      "\n\n--format json: { url, apiKeyFile, consoleUrl }; a key without a value is left out.\n" +
      AGENT_HELP +
      "\n" +
      FAULT_HELP,
  ).action(async () => run(options.parse(command.opts()), stopLater));
}

async function run(given: CommandOptions, stopLater: (stop: Stop) => void): Promise<void> {
  // First, since a random key is written beside the data.
  const release = given.data === undefined ? undefined : await holdData(given.data);
  const key = chooseKey(given);
  const leave = (): void => {
    key.discard?.();
    release?.();
  };
  const emulator = await start(given, key).catch((error: unknown) => {
    leave();
    throw error;
  });
  const url = emulator.url + (given.basePath ?? "");
  stopLater(async () => {
    await emulator.close();
    leave();
  });
  const warning = missingAgents(given.agent, emulator.store);
  if (warning !== undefined) process.stderr.write(`${warning}\n`);
  if (given.format === "json") {
    const consoleUrl = given.console ? emulator.consoleUrl() : undefined;
    process.stdout.write(`${JSON.stringify({ url, apiKeyFile: key.file, consoleUrl })}\n`);
    return;
  }
  const keyHint = key.file === undefined ? "" : `; API key in ${key.file}`;
  process.stdout.write(`Agent platform emulator (${given.contract}) at ${url}${keyHint}\n`);
  for (const line of agentLines(given.agent)) process.stdout.write(`${line}\n`);
  if (given.console) nameConsole(emulator);
}

/** Keeps other emulators from a data file, until that is called which this returns. */
async function holdData(file: string): Promise<() => void> {
  requireWritable(file);
  const real = existsSync(file) ? realpathSync.native(file) : file;
  const lock = await lockOf(dirname(real), basename(real));
  if (lock === undefined)
    throw new CliError(`The data file ${file} is open in another emulator: end that one, or choose another file`);
  return () => void lock.close();
}

/** Prints an address that opens the console once; in a terminal, another with each Enter. */
function nameConsole(emulator: Emulator): void {
  const say = (): void => void process.stdout.write(`Console: ${emulator.consoleUrl()}\n`);
  say();
  if (!process.stdin.isTTY) return;
  process.stdout.write("Each address works once. Press Enter for a new one, Ctrl-C to stop the emulator.\n");
  process.stdin.on("data", say);
}

async function start(given: CommandOptions, key: ChosenKey): Promise<Emulator> {
  return startEmulator({
    ...given,
    apiKey: key.value,
    unknownRoute: "404",
    agents: given.agent,
    faults: given.fault,
    console: given.console && { keyFile: key.file === undefined ? undefined : resolve(key.file) },
    onRequest: given.log === undefined ? undefined : logTo(given.log),
    dataFile: given.data,
  });
}

// All answered writes are on disk already, so a signal only has to close the port.
function stopOnSignal(stop: Stop): void {
  let isTold = false;
  const exit = (): void => {
    // Only once: npx passes on a Ctrl-C that its command has already received.
    if (isTold) return;
    isTold = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`error: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, exit);
}

function logTo(path: string): (entry: LogEntry) => void {
  const problem = (error: unknown): string => `--log: ${path} cannot be written: ${messageOf(error)}`;
  let isTold = false;
  try {
    const file = openSync(path, "a", 0o600);
    return (entry) => {
      try {
        writeSync(file, `${JSON.stringify(entry)}\n`);
      } catch (error) {
        // As on a full disk: it costs the log, and no answer.
        if (!isTold) process.stderr.write(`warning: ${problem(error)}\n`);
        isTold = true;
      }
    };
  } catch (error) {
    throw new CliError(problem(error));
  }
}

const portNumber = numberLike(/^\d{1,5}$/, "A port is a number from 0 to 65535.", 65_535);
const seconds = numberLike(/^\d+(\.\d+)?$/, "A number of seconds is 0 or more, such as 0.5.");
const wholeNumber = numberLike(/^\d{1,9}$/, "A whole number is 0 or more, such as 5.");

function basePath(text: string): string {
  if (!/^(\/[\w.-]+)+$/.test(text))
    throw new InvalidArgumentError("A base path begins with a slash, such as /api-host.");
  return text;
}

/** The text of --help about `--fault`. */
const FAULT_HELP = `
A fault is a JSON object, as in startEmulator({ faults }); docs/emulator.md describes its keys.
  kind: ${faultKinds.join(", ")}
  which: method; path (* stands for a part between slashes, ** for any rest); probability per request; nth; count; \
forMs, from the first strike on; default: all requests
Example: --fault '{ "kind": "reset-after-commit", "method": "POST", "count": 2 }'`;

/** The fault that a `--fault` describes. Throws what commander prints with the name of the option. */
export function parseFault(text: string): Fault {
  try {
    return readFault(JSON.parse(text));
  } catch (error) {
    throw new InvalidArgumentError(`${messageOf(error).replace(/\.?$/, ".")} See --help.`);
  }
}
