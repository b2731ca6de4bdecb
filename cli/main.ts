#!/usr/bin/env node
import { runCommandLine } from "./program";

// A reader of the output that has left (`| head`) is an ordinary end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`error: standard output cannot be written: ${error.message}\n`);
  process.exit(1);
});

void runCommandLine(process.argv.slice(2));
