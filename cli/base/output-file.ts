import { writeFileSync } from "node:fs";
import { messageOf } from "../../provider/tools";
import { CliError } from "./cli-error";

/** Writes a file that the user named by an option. Without a mode, it is as readable as any file of theirs. */
export function writeOutput(option: string, file: string, text: string, mode?: number): void {
  try {
    writeFileSync(file, text, mode === undefined ? {} : { mode });
  } catch (error) {
    throw new CliError(`${option}: ${file} cannot be written: ${messageOf(error)}`);
  }
}
