import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { virtualEnvironment } from "../../tools/official/environment";
import type { Python } from "../../tools/official/python";
import { filesOf } from "../../tools/release/tree";
import { makeWorkplace, ok, PLUGIN } from "../support/cli-stack";
import { runProcess } from "../support/run-process";

const CHECKOUT = join(__dirname, "..", "..");
const REQUIREMENTS = join(CHECKOUT, "examples", "python", "requirements.txt");
/** The package as requirements.txt names it: below the folder of the example. */
const PACKAGE = "./.state/sdk/python";
/** For the tests in Python of docs/testing.md. */
const PYTEST = "pytest==9.2.0";

/**
 * The virtual environment that the README of examples/python has its reader make: with the package that Pulumi generates from the plugin's schema. It is made
 * once for each text of the package, and kept.
 */
export async function exampleEnvironment(python: Python): Promise<string> {
  const { folder, environment, pulumi } = await makeWorkplace("sdk");
  try {
    const generate = ["package", "gen-sdk", join(PLUGIN, "schema.json"), "--language", "python", "--out", ".state/sdk"];
    ok(await runProcess(pulumi, generate, folder, { environment }));
    const made = join(folder, PACKAGE);
    const requirements = readFileSync(REQUIREMENTS, "utf8").trim().split("\n");
    return await virtualEnvironment({ checkout: CHECKOUT, env: process.env, log }, python, {
      what: "Pulumi and the generated package",
      size: 60,
      key: [...requirements, PYTEST, ...[...filesOf(made)].flat()],
      wanted: [...requirements.map((each) => (each === PACKAGE ? made : each)), PYTEST],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const log = (line: string): void => void process.stderr.write(`${line}\n`);
