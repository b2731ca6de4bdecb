import { reasonOf } from "../engine/command";

/** Runs a command; a number that it gives is the exit code. Its error goes to standard error as one message, with exit code 1. */
export function runMain(main: (args: readonly string[]) => Promise<unknown>): void {
  main(process.argv.slice(2)).then(
    (code) => {
      if (typeof code === "number") process.exitCode = code;
    },
    (error: unknown) => {
      console.error(reasonOf(error));
      process.exitCode = 1;
    },
  );
}
