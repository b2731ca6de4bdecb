import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const made: string[] = [];
afterAll(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** An empty folder, which goes with the suite. */
export function newFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, "agent-platform-test-"));
  made.push(folder);
  return folder;
}

/** Writes a file, with the folders that it is in. */
export function writeInto(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
