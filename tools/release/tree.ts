import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { create, extract } from "tar";
import { runCommand } from "../engine/command";
import type { Workplace } from "../engine/ways";

/** The files of a folder, by their paths in it, in the same order on each system. */
export function pathsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .sort();
}

/** The files of a folder with their texts, by their paths in it. */
export function filesOf(folder: string): ReadonlyMap<string, string> {
  return new Map(pathsOf(folder).map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** Where a release is made, and the time that all of its files bear: the commit's. */
export interface ReleasePlace extends Workplace {
  readonly time: Date;
}

/** The time of the commit that the tree is at. Rejects where the tree has something that is in no commit. */
export async function commitTime({ checkout, env }: Pick<Workplace, "checkout" | "env">): Promise<Date> {
  const git = (...args: readonly string[]) => runCommand({ file: "git", args, cwd: checkout, env, timeout: 60_000 });
  const lines = (await git("status", "--porcelain")).split("\n").filter((line) => line !== "");
  if (lines.length > 0) {
    const [first, ...others] = lines.map((line) => line.slice(3));
    const files = others.length === 0 ? `${first} is` : `${first} and ${others.length} more are`;
    throw new Error(
      `The tree is not clean: ${files} in no commit.\n` +
        "A release is made of a commit: commit the changes, or put them away with `git stash -u`.",
    );
  }
  return new Date(1000 * Number(await git("log", "-1", "--format=%ct")));
}

/** Writes an archive of a folder's files that has the same bytes wherever and whenever it is made. */
export function archive(file: string, folder: string, time: Date, prefix?: string): void {
  // Portable: no owner, no time of access, and no name of the system in gzip's header.
  const options = { file, cwd: folder, prefix, gzip: { level: 9 }, portable: true, mtime: time, sync: true } as const;
  create(options, pathsOf(folder));
}

/** Writes an archive again, so that it has the same bytes at each time. */
export function archiveAgain(file: string, time: Date): void {
  const folder = `${file}.content`;
  mkdirSync(folder);
  extract({ file, cwd: folder, sync: true });
  archive(file, folder, time);
  rmSync(folder, { recursive: true });
}

/** Writes SHA256SUMS beside the files of a folder, as sha256sum does. */
export function writeSums(folder: string): void {
  const sumOf = (path: string): string =>
    createHash("sha256")
      .update(readFileSync(join(folder, path)))
      .digest("hex");
  const sums = pathsOf(folder).map((path) => `${sumOf(path)}  ${path}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
}
