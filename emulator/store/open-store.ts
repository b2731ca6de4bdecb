import { DataFile, loadStore, requireWritable } from "./persistence";
import { Store } from "./store";

/** Where the objects are kept. */
export interface StoreOptions {
  /** JSON file that holds all objects: read at start, written before each answer. @default none: memory only */
  readonly dataFile?: string;
}

/** A store, and the file that it is written to. */
export interface OpenStore {
  readonly store: Store;
  /** Resolves when everything that the store holds now is safe. */
  readonly commit: () => Promise<void>;
}

/** Throws EmulatorError when the data file cannot be read or written. */
export function openStore({ dataFile: path }: StoreOptions): OpenStore {
  if (path === undefined) return { store: new Store(), commit: () => Promise.resolve() };
  const store = loadStore(path);
  requireWritable(path);
  const file = new DataFile(path, store);
  return { store, commit: () => file.save() };
}
