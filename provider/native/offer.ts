import type { Resolved } from "../base/connection";
import type { JsonObject } from "../base/json";
import type { Resource } from "../lifecycle/defined";
import type { Session } from "../lifecycle/session";
import type { Table } from "../lifecycle/fields/table";
import type { Registered } from "../lifecycle/fields/declarations";

/** A kind of resource that a plugin offers. */
export interface OfferedKind {
  readonly table: Table;
  open(session: Session): Resource;
}

/** A function that a plugin offers: it reads the platform, and changes nothing. */
export interface OfferedFunction {
  /** The names of its arguments. */
  readonly args: readonly string[];
  call(args: JsonObject, connection: FunctionConnection): Promise<JsonObject>;
}

/** What a function works with. */
export interface FunctionConnection {
  readonly resolved: Resolved;
  readonly session: Session;
}

/** Everything that a plugin offers, by name. */
export interface Offer {
  readonly version: string;
  readonly kinds: ReadonlyMap<string, OfferedKind>;
  readonly functions: ReadonlyMap<string, OfferedFunction>;
  /** What to warn of at the end of a run, by what its program registered. */
  readonly warnings: (registered: readonly Registered[]) => readonly string[];
  /** The schema of all of it, as JSON. */
  readonly schema: () => string;
}
