import { join } from "node:path";
import { reasonOf } from "../engine/command";
import { findCheckout } from "../engine/layout";
import { logToStderr as log } from "../engine/ways";
import { findPython, OLDEST_PYTHON } from "./python";
import { closingLine, runOfficialClients } from "./run";

const checkout = findCheckout();

async function main(args: readonly string[]): Promise<number> {
  const python = findPython(process.env);
  if (python === undefined) throw new Error(`There is no Python ${OLDEST_PYTHON} or newer, with venv, on PATH.`);
  const cli = join(checkout, "dist", "cli", "main.js");
  const tally = await runOfficialClients({ checkout, cli, python, log, output: "terminal", args });
  console.log(closingLine(tally));
  return tally.failed === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(reasonOf(error));
    console.log(closingLine({ passed: 0, failed: 1, skipped: 0 }));
    process.exitCode = 1;
  },
);
