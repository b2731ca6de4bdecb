import type { Contract } from "../../base/connection";
import { compact, type JsonObject } from "../../base/json";
import type { Table, Verb } from "../fields/table";
import type { Context, Found, State } from "./context";
import type { KeptList, Listing } from "./kept-list";
import type { Observation } from "./observation";
import type { Key, ReadObject } from "./read-object";
import type { Workspace } from "./workspace";

/** Whether a contract has an endpoint for a verb. */
export const offers = ({ undocumented = [] }: Pick<Table, "undocumented">, contract: Contract, verb: Verb): boolean =>
  contract === "extended" || !undocumented.includes(verb);

/** An object that no state holds, as far as an answer shows it. @param declared The inputs that count as declared. */
export function shownOf<Live>(
  type: Pick<Observable<Live>, "toInputs" | "toComputed">,
  live: Live,
  declared: JsonObject = {},
): Pick<ReadObject, "inputs" | "outputs"> {
  const inputs = compact(type.toInputs(live, declared));
  return { inputs, outputs: compact({ ...inputs, ...type.toComputed(live, {}) }) };
}

/** How a type finds its objects on the platform and reads an answer. */
export interface Observable<Live> {
  readonly table: Table;

  /**
   * Looks an object up; changes nothing. Absent only if it certainly does not exist; unsupported if this platform cannot look it up: the state is then
   * kept. Called only if the contract has the endpoint. Types without an object on the platform leave it out.
   * @param listed The list that lacks the object; undefined if no list was read.
   */
  observe?(context: Context, key: Key, listed?: Listing<Live>): Promise<Observation<Found<Live>>>;
  /** All objects of the tenant. Answers reads, so that a refresh sends one request per page instead of one per object. */
  readonly list?: KeptList<Live>;
  /** True while the platform deletes the object: it still answers, but the deletion cannot be stopped. @default never */
  isBeingDeleted?(live: Live): boolean;
  /** False if only the name identifies the object in state: under another key it may belong to another workspace. @default true */
  isSameObject?(live: Live, state: State): boolean;
  /** The workspace of an object, as far as the answer names it; undefined if no answer does. */
  readonly workspaceOf?: (live: Live) => Workspace;

  /** The live object as inputs; a field is absent if the answer leaves it out. The current `outputs` help to separate inputs that the wire mixes. */
  toInputs(live: Live, outputs: JsonObject): JsonObject;
  /** The outputs that no input declares; an output is undefined if the answer leaves it out. `before`: the current outputs, empty after a create. */
  toComputed(live: Live, before: JsonObject): JsonObject;
  /** The problem of a live object that the next `up` repairs, on one line; undefined unless it has one. */
  toProblem?(live: Live, outputs: JsonObject): string | undefined;
  /** Further details of a live object for tools, beyond its inputs and outputs; never in state. */
  toDetails?(live: Live): JsonObject;
  /** True if an answer shows the values of a row with `notReturned: "values"`, which can then be compared like any other. */
  showsValues?(live: Live): boolean;
}
