import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CliError } from "../base/cli-error";

/** Throws if the folder cannot become the project's: it is a file, or is not empty. */
export function requireFree(folder: string): void {
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isDirectory()) throw new CliError(`${folder} is a file: set --out to a new or empty folder`);
  if (readdirSync(folder).length === 0) return;
  throw new CliError(`${folder} is not empty, and this command overwrites nothing: set --out to a new or empty folder`);
}

/** Writes all files or none: first beside the folder, then moved into place once they are complete. */
export function writeProject(folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(dirname(folder), { recursive: true });
  const beside = join(dirname(folder), `.${basename(folder)}-${randomBytes(4).toString("hex")}`);
  try {
    mkdirSync(beside);
    for (const [name, text] of files) writeFileSync(join(beside, name), text, { flag: "wx" });
    requireFree(folder);
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) renameSync(beside, folder);
    else moveInto(folder, beside, [...files.keys()]);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** Fills an empty folder instead of replacing it: it may be the working directory of a shell. */
function moveInto(folder: string, from: string, names: readonly string[]): void {
  const moved: string[] = [];
  try {
    for (const name of names) {
      renameSync(join(from, name), join(folder, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved) rmSync(join(folder, name), { force: true });
    throw error;
  }
}
