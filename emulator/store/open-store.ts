import { DataFile, loadStore, requireWritable, unusable } from "./persistence";
import { Store, StoreError } from "./store";

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
  /** Opens collections by `open`; stored data that they cannot read throws EmulatorError, and the file stays as it is. */
  readonly opening: <T>(open: (store: Store) => T) => T;
}

/** Throws EmulatorError when the data file cannot be read or written. */
export function openStore({ dataFile: path }: StoreOptions): OpenStore {
  if (path === undefined) {
    const store = new Store();
    return { store, commit: () => Promise.resolve(), opening: (open) => open(store) };
  }
  const store = loadStore(path);
  requireWritable(path);
  const file = new DataFile(path, store);
  return {
    store,
    commit: () => file.save(),
    opening: (open) => {
      try {
        return open(store);
      } catch (error) {
        if (error instanceof StoreError) throw unusable(path, error.message, error);
        throw error;
      }
    },
  };
}
