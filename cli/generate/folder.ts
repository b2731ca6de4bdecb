import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CliError } from "../base/cli-error";

/** Throws where the folder could not become the project's: it is a file, or something is in it. */
export function requireFree(folder: string): void {
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isDirectory()) throw new CliError(`${folder} is a file: --out names a folder that is new or empty`);
  if (readdirSync(folder).length === 0) return;
  throw new CliError(
    `${folder} is not empty, and nothing in it is overwritten: give --out a folder that is new or empty`,
  );
}

/** Writes all files, or none: beside the folder first, and into its place when they are complete. */
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

/** An empty folder stays the one that it is: a shell may be in it. */
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
