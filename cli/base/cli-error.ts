import { CommanderError } from "commander";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../provider/base/errors";
import { paragraphText } from "./printable";

/** The exit code of a command that was called wrongly. */
export const WRONG_USAGE = 2;

/** A command cannot do its job. The message says why, and how to correct it. */
export class CliError extends Error {
  override readonly name = "CliError";
  /** 2 if the command was called wrongly. @default 1 */
  readonly exitCode: 1 | typeof WRONG_USAGE;

  constructor(
    message: string,
    { cause, exitCode = 1 }: { readonly cause?: unknown; readonly exitCode?: 1 | typeof WRONG_USAGE } = {},
  ) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** The command was called wrongly, in a way that the parsers of its options do not notice; nothing was done. */
export const wrongUsage = (message: string): CliError => new CliError(message, { exitCode: WRONG_USAGE });

/** A new folder for files of this command, for its user alone. */
export function temporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (error) {
    throw new CliError(`no temporary folder can be made: ${messageOf(error)}. Correct TMPDIR`, { cause: error });
  }
}

/** Ends the process at Ctrl-C, or when its job is cancelled, with the exit code that shells use for it. @param say Says first what goes on without it. */
export function whenStopped(host: NodeJS.Process, say: () => void): void {
  for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const]) {
    host.once(signal, () => {
      say();
      host.exit(code);
    });
  }
}

/** Prints why a command has failed, and sets the exit code of the process. Commander has printed its own errors; a help text is none. */
export function failWith(error: unknown, reason: string): void {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
    return;
  }
  process.stderr.write(`error: ${paragraphText(reason)}\n`);
  process.exitCode = error instanceof CliError ? error.exitCode : 1;
}
