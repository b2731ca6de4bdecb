import type { Command, Option } from "commander";

/** The word with which a shell's script asks for candidates; no command, so no help shows it. */
export const COMPLETE = "__complete";

/** What a word can become. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** The candidates for a word, or the kind of path that the shell itself completes. */
export type ShellCompletion = readonly Candidate[] | "files" | "folders";

/** What may follow: the tree of commands for the words before the one that is completed. */
export type Tree = (words: readonly string[]) => Promise<Command>;

/** Prints the candidates for the last word, a line each with its description behind a tab; or `:files`, `:folders`. */
export async function printCandidates(words: readonly string[], tree: Tree): Promise<void> {
  const found = await complete(words, tree);
  const lines =
    typeof found === "string" ? [`:${found}`] : found.map(({ word, description }) => `${word}\t${description}`);
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

/** The candidates for the last of the words, which may be empty. */
export async function complete(words: readonly string[], tree: Tree): Promise<ShellCompletion> {
  // bash gives `--format=json` as three words.
  const given = words.filter((word) => word !== "=");
  const before = given.slice(0, words.at(-1) === "=" ? undefined : -1);
  const last = words.at(-1) === "=" ? "" : (words.at(-1) ?? "");
  const program = await tree(before);
  const command = program.commands.find((each) => each.name() === before[0]);
  if (command === undefined) return before.length === 0 || before[0] === "help" ? ofProgram(program, last) : [];
  // Behind it, the words are for another program.
  if (before.includes("--")) return [];
  const [, flag = "", start] = /^(--[^=]+)=(.*)$/.exec(last) ?? [];
  const named = start === undefined ? before.at(-1) : flag;
  const option = command.options.find(({ long, short }) => named !== undefined && [long, short].includes(named));
  // One whose value may be left out is usually followed by another option.
  if (option?.required) return ofValue(option, start ?? last, start === undefined ? "" : `${flag}=`);
  return last.startsWith("-") ? fitting(optionsOf(command), last) : ofArgument(command, last);
}

function ofProgram(program: Command, last: string): readonly Candidate[] {
  const commands = program.createHelp().visibleCommands(program);
  const names = commands.map((each) => ({ word: each.name(), description: each.description() }));
  return fitting(last.startsWith("-") ? optionsOf(program) : names, last);
}

function ofArgument(command: Command, last: string): ShellCompletion {
  const [argument] = command.registeredArguments;
  return argument === undefined
    ? fitting(optionsOf(command), last)
    : fitting(
        (argument.argChoices ?? []).map((word) => ({ word, description: "" })),
        last,
      );
}

/** Options as help shows them: `--help` too, and none that is hidden. */
const optionsOf = (command: Command): readonly Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long == null ? [] : [{ word: long, description }]));

/** The value of an option: one of its choices, or a path where its placeholder says so. */
function ofValue(option: Option, last: string, prefix: string): ShellCompletion {
  if (option.argChoices !== undefined) {
    const choices = option.argChoices.map((word) => ({ word: prefix + word, description: "" }));
    return fitting(choices, prefix + last);
  }
  const [, what] = /<(file|folder)>/.exec(option.flags) ?? [];
  return what === undefined ? [] : what === "file" ? "files" : "folders";
}

const fitting = (all: readonly Candidate[], start: string): readonly Candidate[] =>
  all.filter(({ word }) => word.startsWith(start));
