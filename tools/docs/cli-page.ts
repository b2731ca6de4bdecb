import { Command, type Option } from "commander";
import { CONNECTION_HELP, declareConnection } from "../../cli/base/connection";
import { programFor } from "../../cli/program";
import { SETTINGS } from "../../provider/base/settings";
import { markdownTable } from "../generate/markdown";

/** The options of a connection, each with one meaning. */
const SHARED = declareConnection(new Command()).options;
const isFormat = ({ long }: Option): boolean => long === "--format";
const isSetting = (option: Option): boolean => SETTINGS.some((setting) => setting === option.attributeName());
const isShared = (option: Option): boolean =>
  isFormat(option) ||
  SHARED.some(({ flags, description }) => flags === option.flags && description === option.description);

/** The page of the command line, from the tree of commands. */
export async function cliPage(): Promise<string> {
  const { commands } = await programFor([]);
  const whole = await Promise.all(
    commands.map(async (command) => [command.name(), await loaded(command.name())] as const),
  );
  return [
    "# Command line\n",
    "<!-- Generated from the tree of commands by `npm run docs`: do not edit. -->\n",
    "`npx pulumi-agent-platform <command>` comes with the package. Each command has `--help`. Exit code 2 means wrong usage: nothing was done.\n",
    `Commands: ${whole.map(([name]) => `[${name}](#${name})`).join(", ")}.\n`,
    "## Shared options\n",
    `${CONNECTION_HELP.trim().replaceAll("\n", " ")} No option takes the key, because other users of a machine can see the arguments of a command.\n`,
    optionTable(
      SHARED.filter((option) => !isSetting(option)),
      [["`--format <name>`", "format of the output (default: `text`)"]],
    ),
    `${SHARED.filter(isSetting).map(nameOf).join(", ")} set the [settings](reference/settings.md) of the same names, and take precedence over them.\n`,
    ...whole.map(([, command]) => section(command)),
  ].join("\n");
}

/** A command with its options. */
async function loaded(name: string): Promise<Command> {
  const found = (await programFor([name])).commands.find((command) => command.name() === name);
  if (found === undefined) throw new Error(`the tree of commands has no ${name}`);
  return found;
}

function section(command: Command): string {
  const options = command.options.filter(({ hidden }) => !hidden);
  const own = options.filter((option) => !isShared(option));
  const args = command.registeredArguments.filter(({ description }) => description !== "");
  return [
    `## ${command.name()}\n`,
    `${sentence(command.description())}\n`,
    ...(args.length + own.length === 0
      ? []
      : [
          optionTable(
            own,
            args.map((each) => [
              `\`${each.name()}\``,
              [each.description, choicesIn(each.argChoices)].filter(Boolean).join(": "),
            ]),
          ),
        ]),
    ...sharedOf(options.filter(isShared)),
    ...notes(command),
  ].join("\n");
}

/** Which of the shared options a command has. */
function sharedOf(options: readonly Option[]): string[] {
  if (options.length === 0) return [];
  const hasAll = SHARED.every(({ flags }) => options.some((each) => each.flags === flags));
  const format = options.find(isFormat);
  const all = format === undefined ? "all except `--format`" : `all, with ${nameOf(format)}`;
  return [`[Shared options](#shared-options): ${hasAll ? all : options.map(nameOf).join(", ")}.\n`];
}

/** An option's name, and what it takes where that differs between the commands. */
const nameOf = ({ long, argChoices }: Option): string =>
  `\`${long ?? ""}\`${argChoices === undefined ? "" : ` (${choicesIn(argChoices)})`}`;

/** What the help text says below the options. */
function notes(command: Command): string[] {
  const lines: string[] = [];
  command.configureOutput({ writeOut: (text) => lines.push(text) });
  command.outputHelp();
  const [, after = ""] = lines.join("").split(/^ {2}-h, --help.*$/m);
  // The page says both once.
  const text = after
    .replace(`${CONNECTION_HELP}\n`, "\n")
    .replace(/\nExit code 2 means .*/, "")
    .trim();
  return text === "" ? [] : [`\`\`\`\n${text}\n\`\`\`\n`];
}

const optionTable = (options: readonly Option[], first: readonly string[][] = []): string =>
  markdownTable([["Option", "Meaning"], ...first, ...options.map(row)]);

function row({ flags, description, argChoices, defaultValue }: Option): string[] {
  const value: unknown = defaultValue;
  const otherwise = typeof value === "string" || typeof value === "number" ? `default: \`${value}\`` : "";
  const facts = [choicesIn(argChoices), otherwise].filter(Boolean).join("; ");
  return [`\`${flags}\``, cell(description) + (facts === "" ? "" : ` (${facts})`)];
}

const choicesIn = (choices: readonly string[] = []): string => choices.map((each) => `\`${each}\``).join(", ");
const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/<([^<>]+)>/g, "`<$1>`");
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
