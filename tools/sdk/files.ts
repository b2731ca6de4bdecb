import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** What Python and pip leave in the folder of a package; the package's own .gitignore names it. */
const LEFTOVER = /(^|\/)(__pycache__|build|dist|\.mypy_cache|[^/]+\.egg-info)\/|\.pyc$/;

/** The files of an SDK with their texts, by their paths in its folder. */
export function filesOf(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => !LEFTOVER.test(file));
  return new Map(files.sort().map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}
