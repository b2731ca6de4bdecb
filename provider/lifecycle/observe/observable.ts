import type { Contract } from "../../base/connection";
import type { JsonObject } from "../../base/json";
import type { FieldRules } from "../fields/fields";
import type { Table, Verb } from "../fields/table";
import type { Context, Found, State } from "./context";
import type { KeptList, Listing } from "./kept-list";
import type { Observation } from "./observation";
import type { Key } from "./read-object";
import type { Workspace } from "./workspace";

/** Whether a contract has an endpoint for a verb. */
export const offers = ({ undocumented = [] }: Pick<Table, "undocumented">, contract: Contract, verb: Verb): boolean =>
  contract === "extended" || !undocumented.includes(verb);

/** What a type says of its objects on the platform: how to find one, and what an answer means. */
export interface Observable<Live> {
  /**
   * Looks for an object, and changes nothing. Absent only if it surely does not exist; unsupported if this platform cannot tell: a state is then kept.
   * Asked only where the contract has the endpoint. Not for a type without anything on the platform.
   * @param listed The list that lacks the object; undefined if no list was read.
   */
  observe?(context: Context, key: Key, listed?: Listing<Live>): Promise<Observation<Found<Live>>>;
  /** All objects of the tenant. Answers reads, so that a refresh sends one request per page instead of one per object. */
  readonly list?: KeptList<Live>;
  /** True while the platform deletes the object: it still answers, but the deletion cannot be stopped. @default never */
  isBeingDeleted?(live: Live): boolean;
  /** False if only the name identifies the object in state: under another key it may belong to another workspace. @default true */
  isSameObject?(live: Live, state: State): boolean;
  /** The workspace that an object is in, as far as its answer says; undefined if answers never say. */
  readonly workspaceOf?: (live: Live) => Workspace;

  /** The live object in the vocabulary of the inputs; a field is absent if the answer leaves it out. The `outputs` so far separate what the wire mixes. */
  toInputs(live: Live, outputs: JsonObject): JsonObject;
  /** The outputs that no input declares; undefined if the answer does not say. `before`: the outputs so far, empty after a create. */
  toComputed(live: Live, before: JsonObject): JsonObject;
  /** The problem of a live object that the next `up` repairs, on one line; undefined unless it has one. */
  toProblem?(live: Live, outputs: JsonObject): string | undefined;
  /** What a tool may want to know about a live object beyond its inputs and outputs; never in state. */
  toDetails?(live: Live): JsonObject;
  /** True if an answer shows the values of a write-only field, which can then be compared like any other. */
  showsWriteOnly?(live: Live): boolean;
}

/** A type with what follows from its table, as far as reading needs it. */
export interface ObservedType<Live> extends Observable<Live> {
  readonly kind: string;
  readonly table: Table;
  readonly fields: FieldRules;
}
