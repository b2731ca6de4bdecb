import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { CliError, wrongUsage } from "../base/cli-error";
import { commandAt, connectionsOf } from "../base/connection";
import { findDeployment } from "../base/deployment";
import { FORMATS } from "../base/options";
import { nameText } from "../base/printable";
import type { StateObject } from "../base/stack-objects";
import { addressProblem, urlProblem } from "../../provider/base/address";
import { keyOfEnvironment, resolveConnection } from "../../provider/base/connection";
import { nameInUrn } from "../../provider/base/engine-format";
import { type ArgumentError, messageOf } from "../../provider/base/errors";
import { isParsedJson, type Json, parseJson } from "../../provider/base/json";
import { configKey, environmentName } from "../../provider/base/settings";
import { vouchesFor } from "../../provider/base/vouched";
import { openPlatform } from "../../provider/functions/reading";
import type { AgentClientOptions } from "../../provider/streaming/client";
import { STREAM_MODES } from "../../provider/streaming/events";

/** The options as the command line gives them. */
export const runFlags = z.object({
  deployment: z.string().optional(),
  stack: z.string().optional(),
  platform: z.string().optional(),
  cwd: z.string().default("."),
  url: z.string().optional(),
  assistant: z.string().optional(),
  input: z.string().optional(),
  mode: z.array(z.enum(STREAM_MODES)).default([]),
  subgraphs: z.boolean().default(false),
  thread: z.string().optional(),
  join: z.string().optional(),
  format: z.enum(FORMATS).default("text"),
  idleTimeout: z.number().optional(),
  allowInsecure: z.boolean().optional(),
});
export type RunFlags = z.infer<typeof runFlags>;

/** A checked command line: no flag contradicts another. A new run has its assistant by its id, or a graph, and at least one mode. */
export interface RunCommand extends RunFlags {
  readonly client: AgentClientOptions;
}

/** The agent's address in the environment; no setting of a platform. */
const AGENT_URL = "AGENT_PLATFORM_AGENT_URL";

/** The thread that stands for a new one. */
export const NEW_THREAD = "new";

/** Throws a CliError that names the flag. The client checks the values themselves, before it sends anything. */
export async function requestOf(flags: RunFlags, environment: NodeJS.ProcessEnv): Promise<RunCommand> {
  const given = flags.deployment === undefined ? givenAgent(flags, environment) : undefined;
  checkRun(flags);
  const { url, apiKey, idOf } = given ?? (await deployedAgent(flags, environment));
  const { assistant, mode, join } = flags;
  return {
    ...flags,
    assistant: assistant && idOf(assistant),
    mode: join === undefined && mode.length === 0 ? ["messages-tuple"] : [...new Set(mode)],
    client: {
      url,
      apiKey,
      idleTimeout: flags.idleTimeout,
      allowInsecure: flags.allowInsecure ?? environment[environmentName("allowInsecure")] === "true",
    },
  };
}

/** Where an agent answers, the key that goes there, and the id of an assistant that the stack declares on it by a name. */
type Agent = Pick<AgentClientOptions, "url" | "apiKey"> & { readonly idOf: (assistant: string) => string };

/** By its address, with the key of the environment. */
function givenAgent(flags: RunFlags, environment: NodeJS.ProcessEnv): Agent {
  const url = flags.url ?? environment[AGENT_URL];
  if (!url) {
    throw wrongUsage(
      `name a deployment of the stack, or give an agent's address (a deployment's url) by --url or ${AGENT_URL}`,
    );
  }
  const idle = (["stack", "platform"] as const).find((name) => flags[name] !== undefined);
  if (idle !== undefined)
    throw wrongUsage(`--${idle}: only works for a deployment of the stack: name it, or leave --${idle} out`);
  const apiKey = environment[environmentName("apiKey")] || undefined;
  if (apiKey !== undefined) checkKeyGoesTo(url, environment);
  return { url, apiKey, idOf: (assistant) => assistant };
}

/** The agent of a deployment, with the key of the deployment's connection. */
async function deployedAgent(flags: RunFlags, environment: NodeJS.ProcessEnv): Promise<Agent> {
  if (flags.url !== undefined) throw wrongUsage("--url: the deployment is named already: leave one of the two out");
  const connections = await connectionsOf(flags, environment, false);
  const { platform, deployment } = await findDeployment(connections, flags.deployment, openPlatform);
  const { url } = deployment;
  const { connection } = platform;
  const declared = connections.objects.filter(
    ({ spec, outputs }) => spec.kind === "Assistant" && outputs["deploymentId"] === deployment.id,
  );
  const idOf = (assistant: string): string => assistantIn(declared, assistant);
  if (url === null) {
    throw new CliError(
      `deployment ${nameText(deployment.name)} has no address yet: it gets one with the first revision that is DEPLOYED. ` +
        `\`${commandAt(flags, "logs", deployment.id)}\` shows how far the latest one is`,
    );
  }
  // The state cannot vouch for an address: a refresh stores the one that somebody set on the platform.
  const isVouched = vouchesFor(connection, url, declaredUrl(environment));
  if (connection.apiKey === undefined || isVouched) return { url, apiKey: connection.apiKey, idOf };
  throw new CliError(
    `the key is not sent to ${new URL(url).host}, the address of deployment ${nameText(deployment.name)}: it is no address of the platform, and ` +
      `somebody may have set it there. If it is right, set ${AGENT_URL} to it, or ${configKey("agentDomain")} to the domain of the platform's agents`,
  );
}

/** The id of the assistant with this name in the program, or else on the agent; what is none of these may be a graph or an id. */
export function assistantIn(declared: readonly StateObject[], given: string): string {
  const own = declared.find(({ urn }) => nameInUrn(urn) === given);
  const named = declared.filter(({ name }) => name === given);
  if (own === undefined && named.length > 1) {
    const names = named.map(({ urn }) => nameText(nameInUrn(urn))).join(", ");
    throw new CliError(`${JSON.stringify(given)} is the name of several assistants: give the name of one (${names})`);
  }
  return (own ?? named[0])?.id ?? given;
}

/** The agent's address that the environment vouches for. */
function declaredUrl(environment: NodeJS.ProcessEnv): string | undefined {
  const own = environment[AGENT_URL] ?? "";
  return own === "" || addressProblem(own) !== undefined ? undefined : own;
}

/** If the environment has a key and an address, the key is only for that platform and its agents, as in every other command. */
function checkKeyGoesTo(url: string, environment: NodeJS.ProcessEnv): void {
  const variables = [environmentName("baseUrl"), environmentName("region"), AGENT_URL];
  const named = variables.find((variable) => environment[variable]);
  // The client has the message for a wrong address.
  if (named === undefined || urlProblem(url) !== undefined) return;
  const platform = resolveConnection(() => undefined, environment);
  if (vouchesFor("connection" in platform ? platform.connection : {}, url, declaredUrl(environment))) return;
  const remedy = `set ${AGENT_URL} to that address, or ${environmentName("agentDomain")} to the domain of the platform's agents`;
  throw wrongUsage(`--url: ${keyOfEnvironment("apiKey", named, new URL(url).host, remedy)}`);
}

function checkRun({ join, thread, assistant, input, subgraphs }: RunFlags): void {
  if (join === undefined) {
    if (assistant) return;
    throw wrongUsage("--assistant: name the graph, an assistant of the stack, or give an assistant's id");
  }
  if (thread === undefined || thread === NEW_THREAD) {
    throw wrongUsage("--join: also give the run's thread, with --thread");
  }
  const forNewRuns = { assistant, input, subgraphs: subgraphs || undefined };
  const idle = Object.entries(forNewRuns).find(([, value]) => value !== undefined)?.[0];
  if (idle !== undefined) throw wrongUsage(`--${idle}: only works for a new run; a joined run already has its own`);
}

/** The flag for each argument of the client, as its errors name them. */
const FLAGS: Readonly<Record<string, string>> = {
  url: "--url",
  apiKey: "AGENT_PLATFORM_API_KEY",
  assistantId: "--assistant",
  streamMode: "--mode",
  threadId: "--thread",
  runId: "--join",
  idleTimeout: "--idle-timeout",
  allowInsecure: "--allow-insecure",
};

/** The client's error about an argument, as an error about the flag; undefined for an argument without a flag. */
export function usageOf({ path, reason, allowedBy }: ArgumentError): string | undefined {
  const flag = FLAGS[path];
  if (flag === undefined) return undefined;
  return `${flag}: ${reason}${allowedBy === undefined ? "" : `, or add ${FLAGS[allowedBy] ?? allowedBy}`}`;
}

/** The value of --input: JSON, `@file`, or `-` for standard input. Messages never show its text, which may be confidential. */
export async function readInput(given: string, stdin: Readable): Promise<Json> {
  if (given === "-") return parse(await text(stdin), "standard input is not JSON");
  if (given.startsWith("@")) return parse(readText(given.slice(1)), `the file ${given.slice(1)} is not JSON`);
  return parse(given, `is not JSON (in a shell, quote it: --input '{"topic": "cats"}')`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw wrongUsage(`--input: cannot be read: ${messageOf(error)}`);
  }
}

function parse(json: string, problem: string): Json {
  try {
    // Some editors begin a file with a byte order mark.
    const value = parseJson(json.replace(/^\uFEFF/, ""));
    if (isParsedJson(value)) return value;
  } catch {
    // The parser's message repeats a part of the text.
  }
  throw wrongUsage(`--input: ${json.trim() === "" ? "is empty; leave it out for no input" : problem}`);
}
