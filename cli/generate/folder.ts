import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../base/cli-error";

/** Throws if the folder cannot become the project's: it is a file, or is not empty. */
export function requireFree(folder: string): void {
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isDirectory()) throw new CliError(`${folder} is a file: set --out to a new or empty folder`);
  if (readdirSync(folder).length === 0) return;
  throw new CliError(`${folder} is not empty, and this command overwrites nothing: set --out to a new or empty folder`);
}

/** Writes all files, or none if one of them cannot be written. */
export function writeProject(folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true });
  requireFree(folder);
  const begun: string[] = [];
  try {
    for (const [name, text] of files) {
      begun.push(join(folder, name));
      writeFileSync(join(folder, name), text);
    }
  } catch (error) {
    for (const file of begun) rmSync(file, { force: true });
    throw error;
  }
}
