import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import type { SharedLines } from "./lines";

const ROOT = join(__dirname, "..", "..");
const FOLDERS = ["provider", "sdk", "emulator", "cli", "tools", "plugin", "tests", "bench", "docs", "examples"];
const FILES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "package.json"];

/** The files of a folder and below, as paths from it. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(relative(folder, entry.parentPath), entry.name));

/** A copy of this project's sources in a folder of its own, to change as an author would. */
export class Checkout {
  private constructor(readonly folder: string) {}

  static make(): Checkout {
    const folder = mkdtempSync(join(tmpdir(), "agent-platform-new-resource-"));
    const configs = readdirSync(ROOT).filter((file) => /^tsconfig.*\.json$/.test(file));
    for (const each of [...FOLDERS, ...FILES, ...configs]) {
      cpSync(join(ROOT, each), join(folder, each), { recursive: true, filter: isCopied });
    }
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    return new Checkout(folder);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  /** Takes these files and folders out, and these lines. */
  takeOut(own: readonly string[], shared: readonly SharedLines[]): void {
    for (const each of own) rmSync(join(this.folder, each), { recursive: true });
    for (const { file, text } of shared) {
      const before = this.read(file);
      if (!before.includes(text)) throw new Error(`${file} has no ${text}`);
      writeFileSync(join(this.folder, file), before.replace(text, ""));
    }
  }

  /** Puts these back as the project has them. */
  putBack(files: readonly string[]): void {
    for (const each of files) cpSync(join(ROOT, each), join(this.folder, each), { recursive: true });
  }

  /** The files with their texts, without the output of tools. */
  files(): ReadonlyMap<string, string> {
    const folders = FOLDERS.flatMap((folder) =>
      filesBelow(join(this.folder, folder)).map((file) => join(folder, file)),
    );
    return new Map([...folders, ...FILES].map((file) => [file, this.read(file)]));
  }

  /** Runs a command here: its exit code, and everything that it printed. */
  run(command: string, ...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
    return new Promise((resolve) => {
      const child = execFile(command, args, { cwd: this.folder, maxBuffer: 1e8 }, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? 1, output: stdout + stderr });
      });
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Leaves out the installed packages and this very test. */
const isCopied = (path: string): boolean => !["node_modules", "venv"].includes(basename(path)) && path !== __dirname;
