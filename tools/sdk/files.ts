import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The files of a folder with their texts, by their paths in it. */
export function filesOf(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return new Map(files.sort().map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}
