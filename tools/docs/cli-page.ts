import { Command, type Option } from "commander";
import { CONNECTION_HELP, declareConnection } from "../../cli/base/connection";
import { belowOptions } from "../../cli/base/options";
import { programFor } from "../../cli/program";
import { SETTINGS } from "../../provider/base/settings";

/** The options of a connection, each with one meaning. */
const SHARED = declareConnection(new Command()).options;
const isShared = (option: Option): boolean =>
  SHARED.some(({ flags, description }) => flags === option.flags && description === option.description);
const isSetting = (option: Option): boolean => SETTINGS.some((setting) => setting === option.attributeName());
const namesOf = (options: readonly Option[]): string => options.map(({ long }) => `\`${long ?? ""}\``).join(", ");

/** The page of the command line, from the tree of commands. */
export async function cliPage(): Promise<string> {
  const { commands } = await programFor([]);
  const names = commands.map((command) => command.name());
  const connection = declareConnection(new Command()).helpOption(false);
  return [
    "# Command line\n",
    "<!-- Generated from cli by `npm run docs`. -->\n",
    "`npx pulumi-agent-platform <command>` comes with the package. Each command has `--help`. Exit code 2 means wrong usage: nothing was done.\n",
    `Commands: ${names.map((name) => `[${name}](#${name})`).join(", ")}.\n`,
    "## Shared options\n",
    `${CONNECTION_HELP.trim().replaceAll("\n", " ")} No option takes the key, because other users of a machine can see the arguments of a command.\n`,
    helpOf(connection, (option) => !isSetting(option)),
    `${namesOf(SHARED.filter(isSetting))} set the [settings](reference/settings.md) of the same names, and take precedence over them.\n`,
    ...(await Promise.all(names.map(section))),
  ].join("\n");
}

/** A command with its help text, but for the shared options. */
async function section(name: string): Promise<string> {
  const command = (await programFor([name])).commands.find((each) => each.name() === name);
  if (command === undefined) throw new Error(`the tree of commands has no ${name}`);
  const shared = command.options.filter(isShared);
  const which = shared.length === SHARED.length ? "all" : namesOf(shared);
  return [
    `## ${name}\n`,
    helpOf(command, (option) => !isShared(option)),
    ...(which === "" ? [] : [`[Shared options](#shared-options): ${which}.\n`]),
  ].join("\n");
}

function helpOf(command: Command, isShown: (option: Option) => boolean): string {
  let text = "";
  const visibleOptions = ({ options }: Command): Option[] => options.filter((each) => !each.hidden && isShown(each));
  command.configureHelp({ helpWidth: 120, visibleOptions }).configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  // The page says the last two once, and the example shows the usage.
  const page = text
    .replace(/^Usage: .*\n/, "")
    .replace(belowOptions(CONNECTION_HELP)({ command, error: false }), "")
    .replace(/\nExit code 2 means .*/, "");
  return `\`\`\`\n${page.trim()}\n\`\`\`\n`;
}
