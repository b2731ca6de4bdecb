import { accessSync, constants, existsSync, mkdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { EmulatorError } from "../base/emulator-error";
import { readOwnFile } from "../base/own-file";
import { Store } from "./store";

const FORMAT = "agent-platform-emulator";
const VERSION = 1;

const fileContent = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  data: z.record(z.string(), z.array(z.unknown())),
});

/** An error for a data file that this emulator cannot use. The file is left as it is. */
function unusable(path: string, why: string, cause?: unknown): EmulatorError {
  return new EmulatorError(
    `The data file ${path} cannot be used: ${why}. It was left unchanged: choose another file with --data, or move this one away.`,
    { cause },
  );
}

/** The store of a data file; a missing file is an empty store. Throws EmulatorError, and changes nothing, when the file is not ours. */
export function loadStore(path: string): Store {
  if (!existsSync(path)) return new Store();
  const parsed = fileContent.safeParse(readJson(path));
  if (!parsed.success) throw unusable(path, `it is not of format "${FORMAT}", version ${VERSION}`);
  return new Store(parsed.data.data, (why) => unusable(path, why));
}

function readJson(path: string): unknown {
  try {
    // Its content decides what the command of an own agent does.
    const text = readOwnFile(path, 0o022, (owner) =>
      owner === undefined
        ? unusable(path, "other users can write it (if it is as you left it, run chmod 600 on it)")
        : unusable(path, `it belongs to another user (${owner})`),
    );
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof EmulatorError) throw error;
    // A folder, or an unreadable file: the reason helps more than "not ours".
    if (error instanceof Error && "code" in error) {
      throw unusable(path, error.message, error);
    }
    // Not the parser's message: it quotes the file, which can hold secrets.
    return undefined;
  }
}

/** Distinguishes one written file from another: inodes alone may be reused. undefined when there is no file. */
function fingerprintOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${String(stats.ino)}@${String(stats.mtimeNs)}`;
}

/** Throws EmulatorError when the file could not be written: better at startup than with every request. */
export function requireWritable(path: string): void {
  const folder = dirname(existsSync(path) ? realpathSync(path) : resolve(path));
  if (!existsSync(dirname(folder))) {
    throw new EmulatorError(
      `The data file ${path} cannot be created: the folder ${folder} does not exist. Create the folder, or choose another file with --data.`,
    );
  }
  try {
    // The last folder alone: a mistyped path stays an error.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw unusable(path, error instanceof Error ? error.message : String(error), error);
  }
}

/** Keeps the data file equal to the store. */
export class DataFile {
  private readonly path: string;
  private saved = -1;
  private running: Promise<void> | null = null;
  private fingerprint: string | undefined;

  constructor(
    path: string,
    private readonly store: Store,
  ) {
    // Through a symbolic link: the rename must replace the file, not the link.
    this.path = existsSync(path) ? realpathSync(path) : resolve(path);
    this.fingerprint = fingerprintOf(this.path);
  }

  /**
   * Resolves when everything that the store holds now is on disk, so that what is answered afterwards survives SIGKILL.
   * Calls during a write share the next one.
   */
  async save(): Promise<void> {
    const wanted = this.store.version;
    while (this.saved < wanted) {
      this.running ??= this.write().finally(() => (this.running = null));
      await this.running;
    }
  }

  private async write(): Promise<void> {
    const { path, store } = this;
    const { version } = store;
    const text = JSON.stringify({ format: FORMAT, version: VERSION, data: store.snapshot() });
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true });
    this.refuseForeignChange();
    const temporary = join(folder, `.${basename(path)}.tmp`);
    // Remove a file left by a killed process first: its mode would stay, and others might be able to read it.
    rmSync(temporary, { force: true });
    await writeFile(temporary, text, { flag: "wx", mode: 0o600 });
    const fingerprint = fingerprintOf(temporary);
    // No fsync: the promise is only that the data survives the end of the process, and a rename does.
    await rename(temporary, path);
    this.fingerprint = fingerprint;
    this.saved = version;
  }

  /** Two emulators on one file would keep overwriting each other's objects. */
  private refuseForeignChange(): void {
    const found = fingerprintOf(this.path);
    if (found === undefined || found === this.fingerprint) return;
    throw new EmulatorError(`Another process writes the data file ${this.path}. Give each emulator its own file.`);
  }
}

/** Where the objects are kept. */
export interface StoreOptions {
  /** JSON file that holds all objects: read at start, written before each answer. @default none: memory only */
  readonly dataFile?: string;
}

/** A store, and what writes it: resolves when everything that it holds now is safe. Throws EmulatorError when the data file cannot be read or written. */
export function openStore({ dataFile: path }: StoreOptions) {
  if (path === undefined) return { store: new Store(), commit: () => Promise.resolve() };
  const store = loadStore(path);
  requireWritable(path);
  const file = new DataFile(path, store);
  return { store, commit: () => file.save() };
}
