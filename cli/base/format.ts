import { InvalidArgumentError, Option, type Command } from "commander";
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
