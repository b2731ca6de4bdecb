import { timestamp } from "../base/clock";
import { isDeeperThan } from "../base/json-text";
import { type Store, StoreError } from "./store";

/** The fields of every stored object. Times are ISO 8601. */
export interface StoredRecord {
  tenant_id: string;
  id: string;
  created_at: string;
  updated_at: string;
}

/** The fields of a new object of a tenant. */
export function newRecord(tenantId: string, now: number): StoredRecord {
  const at = timestamp(now);
  return { id: crypto.randomUUID(), tenant_id: tenantId, created_at: at, updated_at: at };
}

/** One kind of object, of all tenants, in order of creation. Tenants never see each other's. */
export class Collection<T extends StoredRecord> {
  private readonly records = new Map<string, T>();
  /** The ids by tenant, and by tenant and key, so that a look-up costs the same with ten objects as with ten thousand. */
  private readonly ids = new Map<string, Set<string>>();

  constructor(
    records: readonly T[],
    private readonly keysOf: (record: T) => readonly string[],
    private readonly changed: () => void,
  ) {
    for (const record of records) this.set(record);
  }

  all(): readonly T[] {
    return [...this.records.values()];
  }

  of(tenantId: string): readonly T[] {
    return this.at(tenantId);
  }

  /** The object of this tenant with this id. */
  get(tenantId: string, id: string): T | undefined {
    const record = this.records.get(id);
    return record?.tenant_id === tenantId ? record : undefined;
  }

  /** The objects of this tenant that have this key. */
  having(tenantId: string, key: string): readonly T[] {
    return this.at(`${tenantId}\n${key}`);
  }

  /** Adds the object, or replaces the one with the same id. Throws StoreError for one that no file and no answer could hold. */
  put(record: T): T {
    requireWritable(record);
    const before = this.records.get(record.id);
    // An existing key keeps its place in the order.
    if (before !== undefined) this.unlink(before, new Set(this.placesOf(record)));
    this.set(record);
    this.changed();
    return record;
  }

  remove(id: string): void {
    const record = this.records.get(id);
    if (record === undefined) return;
    this.records.delete(id);
    this.unlink(record);
    this.changed();
  }

  clear(): void {
    this.records.clear();
    this.ids.clear();
    this.changed();
  }

  private placesOf(record: T): readonly string[] {
    return [record.tenant_id, ...this.keysOf(record).map((key) => `${record.tenant_id}\n${key}`)];
  }

  private set(record: T): void {
    this.records.set(record.id, record);
    for (const place of this.placesOf(record)) {
      this.ids.set(place, (this.ids.get(place) ?? new Set<string>()).add(record.id));
    }
  }

  private unlink(record: T, kept: ReadonlySet<string> = new Set()): void {
    for (const place of this.placesOf(record).filter((each) => !kept.has(each))) {
      const ids = this.ids.get(place);
      ids?.delete(record.id);
      if (ids?.size === 0) this.ids.delete(place);
    }
  }

  private at(place: string): readonly T[] {
    return [...(this.ids.get(place) ?? [])].map((id) => this.records.get(id)).filter((record) => record !== undefined);
  }
}

/** Far more than the deepest body makes, and far less than JSON.stringify takes. */
const MOST_LEVELS = 1000;

/** Throws for a record that cannot be written, because it would prevent all others from being saved. */
function requireWritable(record: StoredRecord): void {
  try {
    if (!isDeeperThan(record, MOST_LEVELS)) return void JSON.stringify(record);
  } catch {
    // Such as a bigint.
  }
  throw new StoreError(`The object ${record.id} cannot be stored: it is no JSON, or nested too deeply.`);
}

/** Describes a collection; `in(store)` opens it, the same one each time. */
export interface CollectionDefinition<T extends StoredRecord> {
  readonly name: string;
  /** The keys for lookups besides the id: the natural key, or the object that the record belongs to. */
  keysOf(record: T): readonly string[];
  in(store: Store): Collection<T>;
}

/** An object of a collection. */
export type RecordOf<D> = D extends CollectionDefinition<infer T> ? T : never;
