import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { EmulatorError } from "./emulator-error";
import { Store } from "./store";

const FORMAT = "agent-platform-emulator";
const VERSION = 1;

const fileContent = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  data: z.record(z.string(), z.array(z.unknown())),
});

/** An error for a data file that this emulator cannot use. The file is left as it is. */
export function unusable(path: string, why: string, cause?: unknown): EmulatorError {
  return new EmulatorError(
    `The data file ${path} cannot be used: ${why}. It was left as it is: name another file with --data, or move this one away.`,
    { cause },
  );
}

/** The store of a data file; a missing file is an empty store. Throws EmulatorError, and changes nothing, when the file is not ours. */
export function loadStore(path: string): Store {
  if (!existsSync(path)) return new Store();
  const parsed = fileContent.safeParse(readJson(path));
  if (!parsed.success) throw unusable(path, `it is not of format "${FORMAT}", version ${VERSION}`);
  return new Store(parsed.data.data);
}

function readJson(path: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return value;
  } catch (error) {
    // A folder, a file that may not be read: the reason is worth more than "not ours".
    if (error instanceof Error && "code" in error) {
      throw unusable(path, error.message, error);
    }
    return undefined;
  }
}

/** Keeps the data file equal to the store. */
export class DataFile {
  private readonly path: string;
  private saved = -1;
  private running: Promise<void> | null = null;

  constructor(
    path: string,
    private readonly store: Store,
  ) {
    // Through a symbolic link: the rename must replace the file, not the link.
    this.path = existsSync(path) ? realpathSync(path) : resolve(path);
  }

  /**
   * Resolves when everything that the store holds now is on disk, so that what is answered afterwards survives SIGKILL.
   * Callers that come while a write is under way share the next one.
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
    const temporary = join(folder, `.${basename(path)}.tmp`);
    // A leftover of a killed process could be readable by others: its mode would stay.
    rmSync(temporary, { force: true });
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    this.saved = version;
  }
}
