import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { runCommand } from "../engine/command";
import { reasonOf } from "../engine/failure";
import { takeLock } from "../engine/lock";
import type { Python } from "./python";

/** What every child of the command shares. */
export interface Workplace {
  /** The folder of the checkout. */
  readonly checkout: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
}

const PIP = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--quiet", "--only-binary", ":all:"];

/**
 * The folder of the virtual environment with the packages of tests/official/requirements.txt, which this makes where it is missing.
 * Every list of packages and every version of Python has a folder of its own. Rejects where the packages cannot be installed.
 */
export async function clientEnvironment(place: Workplace, python: Python): Promise<string> {
  const { checkout, log } = place;
  const requirements = join(checkout, "tests", "official", "requirements.txt");
  const key = createHash("sha256").update(python.version).update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const state = join(checkout, ".state", "official");
  const folder = join(state, `python-${key}`);
  mkdirSync(state, { recursive: true });
  const doing = "which is installing the official clients";
  const lock = await takeLock(join(state, "install.lock"), { log, sleep: pause, now: Date.now, doing });
  try {
    if (!existsSync(ready(folder))) await install(place, python, { folder, requirements });
  } finally {
    lock.release();
  }
  return folder;
}

/** Written last: an installation that was cut off is never taken for a whole one. */
const ready = (folder: string): string => join(folder, "installed");

async function install(
  { env, log }: Workplace,
  python: Python,
  { folder, requirements }: { readonly folder: string; readonly requirements: string },
): Promise<void> {
  log(`Installing the official clients for Python ${python.version} (100 MB, once) ...`);
  rmSync(folder, { recursive: true, force: true });
  try {
    await runCommand({ file: python.command, args: ["-m", "venv", folder], env, timeout: 120_000 });
    const args = [...PIP, "--requirement", requirements];
    await runCommand({ file: join(folder, "bin", "python"), args, env, timeout: 600_000 });
  } catch (error) {
    throw new Error(
      `The official clients (tests/official/requirements.txt) could not be installed: ${reasonOf(error)}\n` +
        "They need the package index of pip's configuration once; after that, they need no network.",
      { cause: error },
    );
  }
  writeFileSync(ready(folder), "");
}
