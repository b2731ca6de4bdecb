import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { create, extract } from "tar";
import { pathsOf } from "./tree";

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
  const sums = pathsOf(folder).map((path) => `${sha256(readFileSync(join(folder, path)))}  ${path}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
}

const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
