import { join } from "node:path";
import { runMain } from "../base/main";
import { findCheckout } from "../engine/layout";
import { logToStderr as log } from "../engine/ways";
import { findPython, OLDEST_PYTHON } from "./python";
import { runOfficialClients } from "./run";

runMain(async (args) => {
  const checkout = findCheckout();
  const python = findPython(process.env);
  if (python === undefined) throw new Error(`There is no Python ${OLDEST_PYTHON} or newer, with venv, on PATH.`);
  const cli = join(checkout, "dist", "cli", "main.js");
  return (await runOfficialClients({ checkout, cli, python, log, output: "terminal", args })).code;
});
