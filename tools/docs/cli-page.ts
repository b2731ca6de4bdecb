import type { Command, Option } from "commander";
import { programFor } from "../../cli/program";
import { markdownTable } from "../generate/markdown";

/** The page of the command line, from the tree of commands. */
export async function cliPage(): Promise<string> {
  const { commands } = await programFor([]);
  const whole = await Promise.all(
    commands.map(async (command) => [command.name(), await loaded(command.name())] as const),
  );
  return [
    "# Command line\n",
    "<!-- Generated from the tree of commands by `npm run docs`: do not edit. -->\n",
    "`npx pulumi-agent-platform <command>` comes with the package. Commands that talk to the platform take its address from options or from the environment " +
      "(`AGENT_PLATFORM_BASE_URL`), and its key only from the environment (`AGENT_PLATFORM_API_KEY`), because other users of a machine can see the arguments " +
      "of a command.\n",
    markdownTable([
      ["Command", "What it does"],
      ...whole.map(([name, command]) => [`[${name}](#${name})`, cell(command.description())]),
    ]),
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
  const rows = [
    ...command.registeredArguments.map((each) => [`\`${each.name()}\``, each.description, ""]),
    ...options.map(row),
  ];
  const usage = `npx pulumi-agent-platform ${command.name()} ${command.usage()}`;
  return [
    `## ${command.name()}\n`,
    `${sentence(command.description())}\n`,
    `\`\`\`\n${usage}\n\`\`\`\n`,
    ...(rows.length === 0 ? [] : [markdownTable([["Option", "Meaning", "Default"], ...rows])]),
    ...notes(command),
  ].join("\n");
}

/** What the help text says below the options. */
function notes(command: Command): string[] {
  const lines: string[] = [];
  command.configureOutput({ writeOut: (text) => lines.push(text) });
  command.outputHelp();
  const [, after = ""] = lines.join("").split(/^ {2}-h, --help.*$/m);
  const text = after.trim();
  return text === "" ? [] : [`\`\`\`\n${text}\n\`\`\`\n`];
}

function row({ flags, description, argChoices, defaultValue }: Option): string[] {
  const value: unknown = defaultValue;
  const shown = typeof value === "string" || typeof value === "number" ? `\`${value}\`` : "";
  const choices = argChoices === undefined ? "" : ` (${argChoices.map((each) => `\`${each}\``).join(" or ")})`;
  return [`\`${flags}\``, cell(description) + choices, shown];
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/<([^<>]+)>/g, "`<$1>`");
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
