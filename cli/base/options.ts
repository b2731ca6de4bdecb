import { type AddHelpTextContext, type Command, InvalidArgumentError, Option } from "commander";
import { existsSync } from "node:fs";

/** The formats of a command that prints data: for people, and for programs. Some commands have more. */
export const FORMATS = ["text", "json"] as const;

/** Declares `--format`. @param formats All formats of the command. */
export const declareFormat = (command: Command, description: string, formats: readonly string[] = FORMATS): Command =>
  command.addOption(new Option("--format <name>", description).choices(formats).default("text"));

/** Declares the stack that a command is about, and its project. */
export const declareProject = (command: Command): Command =>
  command
    .option("--stack <name>", "the stack (default: the selected one)", notEmpty("the name of a stack"))
    .option("--cwd <folder>", "the folder of the Pulumi project", projectFolder, ".");

/** Checked before anything is asked: where there is no project, a command would ask the platform of the environment. */
function projectFolder(text: string): string {
  const folder = notEmpty("a folder")(text);
  if (existsSync(`${folder}/.`)) return folder;
  throw new InvalidArgumentError("It is no folder: give that of the Pulumi project.");
}

/** Reads the value of an option that must not be empty, as it would be from an unset variable. @param what A noun for messages: "the name of a stack". */
export const notEmpty =
  (what: string) =>
  (text: string): string => {
    if (text !== "") return text;
    throw new InvalidArgumentError(`It must be ${what}, and must not be empty: check that its value is set`);
  };

/** Reads the value of an option that is a number, written in one way. @param says What such a value is. */
export const numberLike =
  (pattern: RegExp, says: string, most = Infinity) =>
  (text: string): number => {
    if (pattern.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(says);
  };

/** Reads the value of an option that counts something. */
export const wholeNumber = numberLike(/^[1-9]\d{0,8}$/, "It must be a whole number above 0.");

/** Reads the values of an option that may be given several times. */
export const repeatable =
  <Value>(read: (text: string) => Value) =>
  (text: string, earlier: readonly Value[] = []): Value[] => [...earlier, read(text)];

/** Reads the value of an option that may also stand alone, which means true. */
export function trueOrFalse(text: string): boolean {
  if (text !== "true" && text !== "false") throw new InvalidArgumentError("It must be true or false.");
  return text === "true";
}

/** Adds a text below the options of a command's help. */
export const withHelp = (command: Command, text: string): Command => command.addHelpText("after", belowOptions(text));

/** Text below the options of a help, wrapped as they are. A line goes on under its own indent; an example stays one line, to be copied. */
export const belowOptions =
  (text: string) =>
  ({ command }: AddHelpTextContext): string => {
    const help = command.createHelp();
    const width = help.helpWidth ?? command.configureOutput().getOutHelpWidth?.() ?? 80;
    return text.replace(/^( *)(?!Example: | )(.+)$/gm, (_, indent: string, line: string) =>
      help.boxWrap(line, width - indent.length).replace(/^/gm, indent),
    );
  };
