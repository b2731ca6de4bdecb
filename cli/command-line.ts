import { CommanderError } from "commander";
import { paragraphText } from "./base/printable";
import { CliError, WRONG_USAGE } from "./base/cli-error";
import { programFor } from "./program";

/** Does what the words of a command line say. A failure is printed, and sets the exit code of the process. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  try {
    await (await programFor(words)).parseAsync(words, { from: "user" });
  } catch (error) {
    // Commander has printed its own; a help text is no error.
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
      return;
    }
    process.stderr.write(`error: ${paragraphText(error instanceof Error ? error.message : String(error))}\n`);
    process.exitCode = error instanceof CliError ? error.exitCode : 1;
  }
}
