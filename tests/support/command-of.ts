import type { Command } from "commander";
import { programFor } from "../../cli/program";

/** A command with its options, as the command line has it. */
export async function commandOf(name: string): Promise<Command> {
  const found = (await programFor([name])).commands.find((command) => command.name() === name);
  if (found === undefined) throw new Error(`there is no command ${name}`);
  return found;
}
