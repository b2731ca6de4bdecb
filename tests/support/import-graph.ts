import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { preProcessFile } from "typescript";
import { ROOT } from "./sources";

/** The imports of a file, type-only and dynamic ones included: paths from the root for files, names for packages. */
export function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return preProcessFile(text, true, true).importedFiles.map(({ fileName }) =>
    fileName.startsWith(".") ? sourceOf(join(dirname(file), fileName)) : fileName,
  );
}

/** The file that an import means: with its extension, or the index of a folder. */
function sourceOf(path: string): string {
  const found = [`${path}.ts`, `${path}.tsx`, join(path, "index.ts")].find((candidate) =>
    existsSync(join(ROOT, candidate)),
  );
  return found ?? path;
}

/** The room of a file: the longest of those names that its path below the folder begins with; "." for the folder's own files. */
export function roomOf(file: string, folder: string, rooms: readonly string[]): string {
  const path = dirname(relative(folder, file));
  if (path === ".") return path;
  const around = rooms.filter((room) => path === room || path.startsWith(`${room}/`));
  const [longest] = around.sort((one, other) => other.length - one.length);
  if (longest === undefined) throw new Error(`${file} is in no room: give ${path} a row in the table.`);
  return longest;
}

/** Circles of a graph, as the nodes along each; empty only when there are none. */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const visited = new Set<string>();
  const walk = (node: string, path: readonly string[]): void => {
    const start = path.indexOf(node);
    if (start >= 0) circles.push([...path.slice(start), node]);
    if (visited.has(node)) return;
    visited.add(node);
    for (const next of graph.get(node) ?? []) walk(next, [...path, node]);
  };
  for (const node of graph.keys()) walk(node, []);
  return circles;
}
