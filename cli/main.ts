#!/usr/bin/env node
import { CommanderError } from "commander";
import { CliError, WRONG_USAGE } from "./base/cli-error";
import { COMPLETE, printCandidates } from "./completion/candidates";
import { programFor } from "./program";

async function main([, , ...words]: readonly string[]): Promise<void> {
  if (words[0] === COMPLETE) return printCandidates(words.slice(1), programFor);
  await (await programFor(words)).parseAsync(words, { from: "user" });
}

// A reader of the output that has left (`| head`) is an ordinary end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`error: standard output cannot be written: ${error.message}\n`);
  process.exit(1);
});

main(process.argv).catch((error: unknown) => {
  // Commander has printed its own; a help text is no error.
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
    return;
  }
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof CliError ? error.exitCode : 1;
});
