import type { CollectionDefinition, StoredRecord } from "./collection";
import type { Store } from "./store";

/** Looks at and changes stored objects of all tenants without the API; keys are those of the collection, or ids. */
export interface OutOfBand<T extends StoredRecord> {
  list(): readonly T[];
  /** Throws when the collection has no such object. */
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
