/** A command cannot do its job. The message says why, and how to correct it. */
export class CliError extends Error {
  override readonly name = "CliError";
  /** 2 if `run` was called with wrong arguments. @default 1 */
  readonly exitCode: 1 | 2;

  constructor(message: string, { cause, exitCode = 1 }: { readonly cause?: unknown; readonly exitCode?: 1 | 2 } = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** An error of the arguments of `run`. */
export const wrongUsage = (message: string): CliError => new CliError(message, { exitCode: 2 });
