import { z } from "zod";
import { Collection, type CollectionDefinition, type StoredRecord } from "./collection";
import type { Store } from "./store";

// Not in collection.ts: the package's type declarations use collections and records, and must not import zod. So the type of a
// record is RecordOf its collection, which tsc writes out, and its schema is not exported beside it.

/** The fields of every stored object, as a schema. */
export const storedRecord = z.object({
  tenant_id: z.string(),
  id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** An object of a client's own. */
export const fields = z.record(z.string(), z.unknown());

/** Declares a collection. The schema checks the data of a data file. */
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
        throw store.unreadable(`the collection "${name}" is not readable (at ${where === "" ? "its root" : where})`);
      }
      const collection = new Collection(parsed.data, keysOf, () => store.changed());
      store.attach(name, collection);
      opened.set(store, collection);
      return collection;
    },
  };
}
