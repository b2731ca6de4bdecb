import type { Command } from "commander";
import { resolve } from "node:path";
import { z } from "zod";
import { CliError, wrongUsage } from "./cli-error";
import { declareProject, notEmpty, trueOrFalse } from "./options";
import { lineText, nameText } from "./printable";
import { type Target, whereAsked } from "./pulumi";
import { configOf, isStackSelected, projectFile, stackText } from "./stack-config";
import { connectionsIn, type StackConnection } from "./stack-connections";
import { objectsIn, type RolledBack, rolledBackIn, type StateObject } from "./stack-objects";
import { stateOf } from "./stack-state";
import { howToSet, resolveConnection, type Ways } from "../../provider/base/connection";
import { messageOf } from "../../provider/base/errors";
import { decisionOf, type SettingPlace } from "../../provider/base/places";
import { nearest } from "../../provider/base/nearest";
import { environmentName, type Setting, settingRow, SETTINGS } from "../../provider/base/settings";
import { shellWord } from "../../provider/base/shell";
import type { ConnectionSource } from "../../provider/functions/platform-client";

/** For the help of a command that has the options of a connection. */
export const CONNECTION_HELP =
  "\nIn the folder of a Pulumi project, address, key and tenant are those of the stack: of its configuration, completed by " +
  "the environment, and, for the objects that use one, of the `Platform` in its state. Elsewhere, or if an option names an " +
  "address or a tenant, they come from the options and the environment, the key from AGENT_PLATFORM_API_KEY (or " +
  "AGENT_PLATFORM_BEARER_TOKEN). If the environment names an address, its key is only sent there.";

/** Declares the stack whose connections a command uses, and an option for each setting that has one. */
export function declareConnection(command: Command): Command {
  declareStack(command);
  for (const setting of SETTINGS) declareSetting(command, setting);
  return command;
}

/** Declares the stack whose connections a command uses. */
export const declareStack = (command: Command): Command =>
  declareProject(command).option(
    "--platform <name>",
    "of the stack's connections, only that of this `Platform`",
    notEmpty("the name of a Platform"),
  );

/** Declares the option of a setting, if it has one. The option of a flag needs no value: without one, it is true. */
export function declareSetting(command: Command, setting: Setting): Command {
  const { option, type } = settingRow(setting);
  if (option === undefined) return command;
  const description = `${option} (else ${environmentName(setting)})`;
  return type.kind === "flag"
    ? command.option(`--${flagOf(setting)} [value]`, description, trueOrFalse)
    : command.option(`--${flagOf(setting)} <value>`, description);
}

/** A command line for people, which asks where this command asked. @param given The options of this command. */
export function commandAt(given: Readonly<Record<string, unknown>>, ...words: readonly string[]): string {
  const options = (["stack", "platform", "cwd", ...SETTINGS] as const).flatMap((name) => {
    const value = given[name];
    const text = typeof value === "boolean" ? String(value) : value;
    return typeof text !== "string" || (name === "cwd" && text === ".") ? [] : [`--${flagOf(name)}`, text];
  });
  return ["npx pulumi-agent-platform", ...[...words, ...options].map((word) => shellWord(lineText(word)))].join(" ");
}

/** The connections that a command may use. */
export interface Connections {
  /** In words, for messages. */
  readonly where: string;
  /** At least one, all with a different platform, tenant or key; the stack's own comes first. */
  readonly all: readonly StackConnection[];
  /** The objects of the stack; none if the connection does not come from a stack. */
  readonly objects: readonly StateObject[];
  /** The checks of the stack that have rolled a deployment back. */
  readonly rolledBack: readonly RolledBack[];
}

/** The options that select connections. */
const Chosen = z.object({
  stack: z.string().optional(),
  platform: z.string().optional(),
  cwd: z.string().default("."),
});

/**
 * The connection in the options; otherwise those of the stack, if there is one; otherwise that of the environment. Throws CliError with all
 * problems of the options, or the reason why the stack cannot be read.
 * @param hasOptions Whether the command has the options of a connection (declareConnection), and not only those of its stack.
 */
export async function connectionsOf(
  given: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
  hasOptions = true,
): Promise<Connections> {
  const { stack, platform, cwd } = Chosen.parse(given);
  const target = { folder: resolve(cwd), environment };
  const own = SETTINGS.find((setting) => decisionOf(setting) !== undefined && given[setting] !== undefined);
  const found =
    own === undefined
      ? await stackConnections(stack, target).catch((error: unknown) => {
          throw unreadable(error, hasOptions ? ", or name the platform with --base-url" : "");
        })
      : undefined;
  if (found === undefined) {
    if (stack === undefined && platform === undefined)
      return alone(given, environment, hasOptions ? byOption : byVariable);
    if (own === undefined)
      throw wrongUsage("--platform: there is no stack here: set --cwd to the folder of a Pulumi project");
    const flag = stack === undefined ? "--platform" : "--stack";
    throw wrongUsage(`${flag}: --${flagOf(own)} already says which platform is meant: leave one of the two out`);
  }
  const overriding = found.all.map((each) => overridden(each, given));
  const all = platform === undefined ? distinct(overriding) : [platformNamed(platform, overriding, found.where)];
  return { ...found, all };
}

/** The connections of a stack; undefined if there is none and the environment has to name the platform. */
async function stackConnections(stack: string | undefined, target: Target): Promise<Connections | undefined> {
  if (stack === undefined && projectFile(target.folder) === undefined) return undefined;
  try {
    const reading = stateOf(stack, target, "--show-secrets");
    // Both reads fail for the same reason, which is reported once, by that of the configuration.
    reading.catch(() => undefined);
    const config = await configOf(stack, target);
    const state = await reading;
    return {
      where: stackText(stack),
      all: connectionsIn(state, config, target.environment, whereAsked(target, stack)),
      objects: objectsIn(stack ?? "", state),
      rolledBack: rolledBackIn(state),
    };
  } catch (error) {
    // Only fall back to the environment if no stack is selected: a wrong passphrase, for example, must not lead to another platform.
    const isOther = stack !== undefined || !("connection" in resolveConnection(() => undefined, target.environment));
    if (isOther || (await isStackSelected(target))) throw error;
    return undefined;
  }
}

const unreadable = (error: unknown, or: string): CliError =>
  new CliError(
    `cannot tell the platform: ${messageOf(error)}. Fix that, or choose a stack with --stack (\`pulumi stack ls\` lists them)${or}`,
    { cause: error },
  );

/** The connection from the options and the environment. */
function alone(given: Readonly<Record<string, unknown>>, environment: NodeJS.ProcessEnv, ways: Ways): Connections {
  const source: ConnectionSource = [(setting) => valueOf(given, setting), requireKey(environment), ways];
  const resolved = resolveConnection(...source);
  if ("problems" in resolved) throw wrongUsage(resolved.problems.map(({ reason }) => reason).join("\n"));
  return {
    where: resolved.connection.baseUrl,
    all: [{ platform: undefined, source, isOf: () => true }],
    objects: [],
    rolledBack: [],
  };
}

/** The connection with those options that do not select the platform. */
function overridden(connection: StackConnection, given: Readonly<Record<string, unknown>>): StackConnection {
  const [configured, environment, ways = howToSet] = connection.source;
  const place: SettingPlace = (setting) => valueOf(given, setting) ?? configured(setting);
  const how: Ways = (setting) => (valueOf(given, setting) === undefined ? ways : byOption)(setting);
  return { ...connection, source: [place, environment, how] };
}

/** The connections without duplicates: two Platforms may have the same address and key. */
function distinct(connections: readonly StackConnection[]): StackConnection[] {
  const byConnection = new Map<string, StackConnection>();
  for (const each of connections) {
    const resolved = resolveConnection(...each.source);
    const key = "connection" in resolved ? JSON.stringify(resolved.connection) : `unusable ${byConnection.size}`;
    const known = byConnection.get(key);
    const isOf = (provider: string): boolean => known?.isOf(provider) === true || each.isOf(provider);
    byConnection.set(key, known === undefined ? each : { ...known, isOf });
  }
  return [...byConnection.values()];
}

function platformNamed(name: string, connections: readonly StackConnection[], where: string): StackConnection {
  const found = connections.find(({ platform }) => platform === name);
  if (found !== undefined) return found;
  const names = connections.flatMap(({ platform }) => platform ?? []);
  const near = nearest(name, names);
  const known = names.length === 0 ? "none" : names.map(nameText).join(", ");
  const hint = near === undefined ? `it has ${known}` : `did you mean ${nameText(near)}?`;
  throw new CliError(`--platform: the state of ${where} has no Platform ${JSON.stringify(name)}: ${hint}`);
}

/** The connection for a command that works on one platform: the stack's own, otherwise that of its only Platform. */
export function onlyConnection({ all, where }: Connections): StackConnection {
  const [first, ...more] = all;
  if (first !== undefined && (first.platform === undefined || more.length === 0)) return first;
  const names = all.map(({ platform }) => nameText(platform ?? "")).join(", ");
  throw wrongUsage(`${where} has several connections: choose one with --platform (${names})`);
}

function valueOf(given: Readonly<Record<string, unknown>>, setting: Setting): string | undefined {
  const value = settingRow(setting).option === undefined ? undefined : given[setting];
  if (value === "") {
    throw wrongUsage(`--${flagOf(setting)} is empty: check that its value is set, or leave the option out`);
  }
  return typeof value === "boolean" ? String(value) : typeof value === "string" ? value : undefined;
}

/** How to set a setting where only the environment has it. */
export const byVariable: Ways = (setting) => `Set the environment variable ${environmentName(setting)}`;
const byOption: Ways = (setting) =>
  settingRow(setting).option === undefined
    ? byVariable(setting)
    : `Set it with --${flagOf(setting)}, or in the environment variable ${environmentName(setting)}`;

function requireKey(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (environment["AGENT_PLATFORM_API_KEY"] || environment["AGENT_PLATFORM_BEARER_TOKEN"]) return environment;
  throw wrongUsage(
    "No platform key configured. Run the command in the folder of a Pulumi project (--cwd), whose stack names platform and key, " +
      "or set the environment variable AGENT_PLATFORM_API_KEY (or AGENT_PLATFORM_BEARER_TOKEN)",
  );
}

/** The option of a setting, without its dashes. */
export const flagOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
