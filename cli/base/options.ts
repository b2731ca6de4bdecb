import { type Command, InvalidArgumentError, Option } from "commander";
import { wrongUsage } from "./cli-error";

/** The formats of a command that prints data: for people, and for programs. Some commands have more. */
export const FORMATS = ["text", "json"] as const;

/** Declares `--format`. @param formats All formats of the command. @param earlier An earlier name for the format text. */
export function declareFormat(
  command: Command,
  description: string,
  formats: readonly string[] = FORMATS,
  earlier?: string,
): Command {
  const format = new Option("--format <name>", description)
    .choices(formats)
    .default("text")
    .argParser((name: string) => {
      if (name === earlier) return "text";
      if (formats.includes(name)) return name;
      throw new InvalidArgumentError(`Allowed choices are ${formats.join(", ")}.`);
    });
  // Older scripts use --json: it still works, but the help does not show it.
  const json = new Option("--json").implies({ format: "json" }).hideHelp();
  return command
    .addOption(format)
    .addOption(json)
    .hook("preAction", () => {
      const given = command.opts();
      if (given["json"] !== true || given["format"] === "json") return;
      throw wrongUsage(`--json means --format json and excludes --format ${given["format"]}: leave one of them out`);
    });
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
