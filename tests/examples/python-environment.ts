import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { virtualEnvironment } from "../../tools/official/environment";
import type { Python } from "../../tools/official/python";
import { filesOf } from "../../tools/sdk/files";

const CHECKOUT = join(__dirname, "..", "..");
const SDK = join(CHECKOUT, "sdk", "python");
const REQUIREMENTS = join(CHECKOUT, "examples", "python", "requirements.txt");

/** The virtual environment that `pip install -r requirements.txt` makes in examples/python: made once for each SDK, and kept. */
export async function exampleEnvironment(python: Python): Promise<string> {
  const state = join(CHECKOUT, ".state", "python");
  mkdirSync(state, { recursive: true });
  // pip builds in the folder of the package, and leaves its remains there: it gets a copy.
  const copy = mkdtempSync(join(state, "sdk-"));
  const files = filesOf(SDK);
  try {
    for (const file of files.keys()) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(SDK, file), join(copy, file));
    }
    const requirements = readFileSync(REQUIREMENTS, "utf8").trim().split("\n");
    return await virtualEnvironment({ checkout: CHECKOUT, env: process.env, log }, python, {
      what: "Pulumi and sdk/python",
      size: 60,
      room: "python",
      key: [...requirements, ...[...files].flat()],
      wanted: requirements.map((each) => (each === "../../sdk/python" ? copy : each)),
    });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const log = (line: string): void => void process.stderr.write(`${line}\n`);
