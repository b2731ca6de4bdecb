import type { Command } from "commander";
import {
  type ConnectionSource,
  environmentName,
  resolveConnection,
  type Setting,
  settingRow,
  SETTINGS,
} from "../../provider/tools";
import { wrongUsage } from "./cli-error";
import { trueOrFalse } from "./option-values";

/** For the help of a command that has the options of a connection. */
export const KEY_HELP =
  "\nThe key comes from AGENT_PLATFORM_API_KEY (or AGENT_PLATFORM_BEARER_TOKEN)." +
  "\nThe address comes either from the options or from the environment, never from both. If the environment names an" +
  "\naddress, its key is only sent there.";

/** Declares an option for each setting that has one. The credentials have none: other users of the machine see arguments. */
export function declareConnection(command: Command): Command {
  for (const setting of SETTINGS) declareSetting(command, setting);
  return command;
}

/** Declares the option of a setting, if it has one. One that is true or false needs no value: without one it is true. */
export function declareSetting(command: Command, setting: Setting): Command {
  const { option, type } = settingRow(setting);
  if (option === undefined) return command;
  const description = `${option} (else ${environmentName(setting)})`;
  return type.kind === "flag"
    ? command.option(`--${flagOf(setting)} [value]`, description, trueOrFalse)
    : command.option(`--${flagOf(setting)} <value>`, description);
}

/** The connection that the options name, else the environment. Throws CliError with everything that is wrong with them. */
export function connectionOf(
  given: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): ConnectionSource {
  const source = [(setting: Setting) => valueOf(given, setting), requireKey(environment), howToSet] as const;
  const resolved = resolveConnection(...source);
  if ("problems" in resolved) throw wrongUsage(resolved.problems.map(({ reason }) => reason).join("\n"));
  return source;
}

function valueOf(given: Readonly<Record<string, unknown>>, setting: Setting): string | undefined {
  const value = settingRow(setting).option === undefined ? undefined : given[setting];
  if (value === "") {
    throw wrongUsage(`--${flagOf(setting)} is empty: check that its value is set, or leave the option out`);
  }
  return typeof value === "boolean" ? String(value) : typeof value === "string" ? value : undefined;
}

function howToSet(setting: Setting): string {
  const variable = `the environment variable ${environmentName(setting)}`;
  return settingRow(setting).option === undefined
    ? `Set ${variable}`
    : `Set it with --${flagOf(setting)}, or in ${variable}`;
}

function requireKey(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (environment["AGENT_PLATFORM_API_KEY"] || environment["AGENT_PLATFORM_BEARER_TOKEN"]) return environment;
  throw wrongUsage(
    "No platform key configured. Set the environment variable AGENT_PLATFORM_API_KEY (or AGENT_PLATFORM_BEARER_TOKEN)",
  );
}

const flagOf = (setting: Setting): string => setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
