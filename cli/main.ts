#!/usr/bin/env node
import { runCommandLine } from "./program";

// It is not an error if the reader of the output closes the pipe (`| head`).
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`error: standard output cannot be written: ${error.message}\n`);
  process.exit(1);
});

// Without standard error there is nowhere to report to.
process.stderr.on("error", () => undefined);

void runCommandLine(process.argv.slice(2));
