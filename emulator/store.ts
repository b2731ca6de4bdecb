import { z } from "zod";

/** What every stored object has. Times are ISO 8601. */
export const storedRecord = z.object({
  tenant_id: z.string(),
  id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type StoredRecord = z.infer<typeof storedRecord>;

/** The stored data is not what this emulator wrote. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** One kind of object, of all tenants, in order of creation. */
export class Collection<T extends StoredRecord> {
  readonly #records = new Map<string, T>();
  readonly #changed: () => void;

  constructor(records: readonly T[], changed: () => void) {
    for (const record of records) this.#records.set(record.id, record);
    this.#changed = changed;
  }

  all(): readonly T[] {
    return [...this.#records.values()];
  }

  of(tenantId: string): readonly T[] {
    return this.all().filter((record) => record.tenant_id === tenantId);
  }

  /** The first object of this tenant that matches; tenants never see each other's. */
  find(tenantId: string, matches: (record: T) => boolean): T | undefined {
    for (const record of this.#records.values()) {
      if (record.tenant_id === tenantId && matches(record)) return record;
    }
    return undefined;
  }

  /** Adds the object, or puts it in the place of the one with the same id. */
  put(record: T): T {
    this.#records.set(record.id, record);
    this.#changed();
    return record;
  }

  remove(id: string): void {
    if (this.#records.delete(id)) this.#changed();
  }

  clear(): void {
    this.#records.clear();
    this.#changed();
  }
}

/** Describes a collection; `in(store)` opens it, the same one each time. */
export interface CollectionDefinition<T extends StoredRecord> {
  readonly name: string;
  /** The natural keys of a record besides its id: what out-of-band operations find it by. */
  keysOf(record: T): readonly string[];
  in(store: Store): Collection<T>;
}

/** Declares a collection. The schema guards what a data file brings in. */
export function defineCollection<T extends StoredRecord>(
  name: string,
  schema: z.ZodType<T>,
  keysOf: (record: T) => readonly string[],
): CollectionDefinition<T> {
  // Held by the definition, not by the store: that is what lets each collection keep its own type.
  const opened = new WeakMap<Store, Collection<T>>();
  return {
    name,
    keysOf,
    in: (store) => {
      const known = opened.get(store);
      if (known !== undefined) return known;
      const parsed = z.array(schema).safeParse(store.stored(name));
      if (!parsed.success) {
        const where = parsed.error.issues[0]?.path.map(String).join(".") ?? "";
        throw new StoreError(`the collection "${name}" is not readable (at ${where === "" ? "its root" : where})`);
      }
      const collection = new Collection(parsed.data, () => store.changed());
      store.attach(name, collection);
      opened.set(store, collection);
      return collection;
    },
  };
}

interface Part {
  all(): readonly unknown[];
  clear(): void;
}

/** All objects of the emulator as plain data: what goes into the data file. */
export class Store {
  readonly #parts = new Map<string, Part>();
  readonly #stored: Readonly<Record<string, readonly unknown[]>>;
  #version = 0;

  constructor(stored: Readonly<Record<string, readonly unknown[]>> = {}) {
    this.#stored = stored;
  }

  /** Grows with every change: tells whether something is not written yet. */
  get version(): number {
    return this.#version;
  }

  changed(): void {
    this.#version += 1;
  }

  stored(name: string): readonly unknown[] {
    return this.#stored[name] ?? [];
  }

  attach(name: string, part: Part): void {
    this.#parts.set(name, part);
  }

  snapshot(): Record<string, readonly unknown[]> {
    // Collections that nobody opened are kept as they came.
    return { ...this.#stored, ...Object.fromEntries([...this.#parts].map(([name, part]) => [name, part.all()])) };
  }

  clear(): void {
    for (const part of this.#parts.values()) part.clear();
  }
}

/** Looks at and changes stored objects past the API, of all tenants; keys are ids or natural keys. */
export interface OutOfBand<T extends StoredRecord> {
  list(): readonly T[];
  /** Throws when there is none. */
  get(key: string): T;
  /** Overwrites these fields (no rule of the API applies) and touches updated_at. */
  change(key: string, fields: Partial<T>): T;
  remove(key: string): void;
}

export function outOfBand<T extends StoredRecord>(
  definition: CollectionDefinition<T>,
  store: Store,
  now: () => string,
): OutOfBand<T> {
  const collection = definition.in(store);
  const get = (key: string): T => {
    const found = collection.all().find((record) => record.id === key || definition.keysOf(record).includes(key));
    if (found === undefined) throw new Error(`The emulator holds no "${key}" in ${definition.name}.`);
    return found;
  };
  return {
    list: () => collection.all(),
    get,
    change: (key, fields) => collection.put({ ...get(key), updated_at: now(), ...fields }),
    remove: (key) => collection.remove(get(key).id),
  };
}
