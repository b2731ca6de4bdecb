import { compact, merge, type JsonObject } from "../base/json";
import { compare, hiddenFields } from "./fields/comparison";
import type { Call, State } from "./observe/context";
import { KEY_MARK, ORIGIN, type Provenance } from "./identity/origin";
import { ADOPTION_MARK } from "./identity/ownership";
import type { Observable } from "./observe/observable";
import type { Change } from "./fields/diff";
import { showPath, withoutProviderOnly, type FieldRules } from "./fields/fields";
import { isFilledIn, outputRows, type Table } from "./fields/table";

/** The prefix of internal properties: the engine's display leaves them out. */
const HIDDEN = "__";

/**
 * The output of a read that got no answer about the object, so that the state was kept. Always null: if an object is only read, the engine shows an
 * output that appears or disappears as drift, but not if its value is null.
 */
export const UNREAD = "__unread";
/** The output after an update whose end is not known, with the paths that it changed: the object may be as before, or as the update wanted it. */
export const DOUBTED = "__doubted";
/**
 * The problem that a read found, stored as an input that no program declares: a refresh then shows it as drift, a preview as a change,
 * and the next `up` repairs it.
 */
export const PROBLEM = "problem";
/** The problem of an object that is still being built: an update waits for it. */
export const NOT_READY = "is not ready yet";

/** Older versions stored these without the `__` prefix. */
const NOW_HIDDEN = ["origin", "keyMark", "adoption", "progressUrn", "followedRevisionId", "durationsMs"];

/** Inputs or outputs in state, whichever version wrote them, under the names of this one. */
export function migrateState<Value>(props: Record<string, Value>): Record<string, Value> {
  if (!NOW_HIDDEN.some((name) => name in props)) return props;
  return Object.fromEntries(
    Object.entries(props).map(([name, value]) => [NOW_HIDDEN.includes(name) ? HIDDEN + name : name, value]),
  );
}

/**
 * The properties under the names that the state uses. If an object is only read, a refresh would show a new name as a change; the next `up`
 * reads it again and writes the new names.
 */
export function asNamedBefore<Value>(
  props: Record<string, Value>,
  before: Readonly<Record<string, unknown>>,
): Record<string, Value> {
  const names = new Map(NOW_HIDDEN.filter((name) => name in before).map((name) => [HIDDEN + name, name]));
  return Object.fromEntries(Object.entries(props).map(([name, value]) => [names.get(name) ?? name, value]));
}

/** The properties that the engine's display shows: without our own marks, and without the code of a dynamic resource. */
export const withoutHidden = <Value>(props: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(props).filter(([name]) => !name.startsWith(HIDDEN)));

/**
 * The inputs that were declared and sent. Outputs contain every input except controls, so an input that they lack was declared but never sent: the
 * create stopped before that.
 */
export function inputsFromState({ fieldRules }: Table, { inputs, outputs }: State): JsonObject {
  if (inputs === undefined) return outputs;
  const sent = Object.entries(inputs).filter(
    ([name]) => name in outputs || fieldRules[name]?.providerOnly !== undefined,
  );
  return Object.fromEntries(sent);
}

/** The declaration that a state holds: without what the platform filled in, which outputs alone have. */
export function declaredIn(table: Table, state: State): JsonObject {
  const all = pickInputs(table, inputsFromState(table, state));
  return Object.fromEntries(Object.entries(all).filter(([name]) => !isFilledIn(table.fields[name], all)));
}

/** False for an object that is only read (`X.get`): nothing of it is declared. */
export const isManaged = ({ inputs, outputs }: State): boolean =>
  inputs === undefined ? outputs[ORIGIN] !== undefined : Object.keys(inputs).length > 0;

/** The outputs of an object: the declared properties, those that the platform adds, and our own marks. */
export function outputsOf<Live>(
  definition: Pick<Observable<Live>, "table" | "toComputed">,
  inputs: JsonObject,
  live: Live,
  before: JsonObject,
  { origin, keyMark }: Provenance,
): JsonObject {
  const declared = withoutProviderOnly(definition.table.fieldRules, inputs);
  const own = { [ORIGIN]: origin, [KEY_MARK]: keyMark, [ADOPTION_MARK]: before[ADOPTION_MARK] };
  return compact({ ...declared, ...definition.toComputed(live, before), ...own });
}

/** Our own marks among outputs. */
export const marksOf = (outputs: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(outputs).filter(([name]) => [ORIGIN, KEY_MARK, ADOPTION_MARK].includes(name)));

/** The outputs for a declaration that means the same as before: they get its new spelling, and nothing else changes. */
export function redeclared(
  { fieldRules }: Table,
  outputs: JsonObject,
  before: JsonObject,
  inputs: JsonObject,
): JsonObject {
  const others = Object.entries(outputs).filter(([name]) => !(name in before));
  return compact({ ...withoutProviderOnly(fieldRules, inputs), ...Object.fromEntries(others) });
}

/**
 * What an update whose end is not known leaves in the outputs: what it tried, what it tried to remove, and the mark that says so. The next update begins
 * with a look. What no look shows is forgotten (null), and sent again if it is declared.
 */
export function doubted(table: Table, outputs: JsonObject, inputs: JsonObject, changes: readonly Change[]): JsonObject {
  const unseen = changes.filter(({ path }) => table.fieldRules[String(path[0])]?.notReturned === "always");
  const forgotten = Object.fromEntries(unseen.map(({ path }) => [String(path[0]), null]));
  const tried = merge(pickInputs(table, outputs), pickInputs(table, inputs));
  return { ...tried, ...forgotten, [DOUBTED]: changes.map(({ path }) => [...path]) };
}

/** The part of inputs or outputs that the program declared, and a problem that a read found. */
export function pickInputs({ fields }: Table, props: JsonObject): JsonObject {
  const isInput = (name: string): boolean => Object.hasOwn(fields, name) && fields[name]?.computed !== true;
  return Object.fromEntries(Object.entries(props).filter(([name]) => name === PROBLEM || isInput(name)));
}

/** The live object as the program would declare it, with its problem, and the declared fields in which it differs. */
export function observedInputs<Live>(
  definition: Pick<Observable<Live>, "table" | "toInputs" | "toProblem">,
  declared: JsonObject,
  live: Live,
  outputs: JsonObject,
): { readonly view: JsonObject; readonly drift: readonly Change[] } {
  const { [PROBLEM]: _, ...own } = declared;
  const { view, changes } = compare(definition, live, own, "ignored");
  return { view: compact({ ...view, [PROBLEM]: definition.toProblem?.(live, outputs) }), drift: changes };
}

/** The URN of a resource: passed by the native protocol, or put into the inputs by the SDK's class; undefined if neither did. */
export function urnIn({ __progressUrn: row }: JsonObject, call: Call = {}): string | undefined {
  return call.urn ?? (typeof row === "string" ? row : undefined);
}

/** True if an output that never changes is missing: a create left the object unfinished, or an earlier version wrote the state. */
export const lacksOutputs = ({ fields }: Table, outputs: JsonObject): boolean =>
  outputRows(fields).some(([name, { isStable }]) => isStable === true && outputs[name] === undefined);

/** The problem of an object whose hidden values may not be the declared ones. Undefined if no declared field is hidden. */
export function hiddenProblem(fields: FieldRules, declared: JsonObject, why: string): string | undefined {
  const names = hiddenFields(fields, declared, {}).map(({ path }) => showPath(path));
  return names.length === 0 ? undefined : `${why}; its ${names.join(", ")} may not be as declared`;
}
