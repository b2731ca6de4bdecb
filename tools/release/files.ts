import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

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
