import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];
afterAll(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** An empty folder, which goes with the suite. */
export function newFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, "agent-platform-test-"));
  made.push(folder);
  return folder;
}
