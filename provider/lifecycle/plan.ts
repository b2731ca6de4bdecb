import { compact, hasUnknown, isObject, ownValue, sameJson, UNKNOWN, type Json, type JsonObject } from "../base/json";
import { hiddenFields, withValueAt } from "./fields/comparison";
import { areInputs, type ResourceDefinition } from "./definition";
import { changesOf } from "./checks";
import { changesBetween, type Change } from "./fields/diff";
import { valueAt, withoutProviderOnly, type FieldRules } from "./fields/fields";
import { wireName } from "./fields/rename";
import { problemsOfInputs } from "./fields/schema";
import { DOUBTED } from "./state";
import {
  sentAfterCreate,
  inputRows,
  isNullable,
  type Field,
  type Fields,
  type Shape,
  type Table,
} from "./fields/table";

// Predicts what `up` sends for one object, with the functions that build the bodies of its requests. An unknown value may turn out unchanged or
// different: a field that is sent in every case is certain, any other field may be sent.

/** A request that changes the platform, without its path and its values. */
export interface PlannedRequest {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** The fields of the body, sorted, under the platform's names; of a PATCH only those that change. */
  readonly fields: readonly PlannedField[];
  /** False if it depends on an unknown value, or on the live object. */
  readonly isCertain: boolean;
}

/** "*": any field, because the names are not known yet. */
interface PlannedField {
  readonly name: string;
  readonly isCertain: boolean;
}

/** What one step of the engine does on the platform. */
export interface Plan {
  /** In the order in which they are sent. */
  readonly requests: readonly PlannedRequest[];
  /** Whether an existing object gets a new revision. */
  readonly revision: "none" | "may" | "certain";
  /**
   * The inputs whose values are sent. Both maps of an environment count, since it is one list on the wire. "along": unchanged inputs that are sent
   * only if somebody else has changed the object.
   */
  readonly sent: ReadonlyMap<string, "certain" | "may" | "along">;
}

/** Plans the steps of one kind. The inputs are the declared ones; values of `after` may be unknown. */
export interface Planner {
  /** With `adopt`, an existing object of unknown values is made equal; if it is adopted by name, it may have to be created. */
  create(after: JsonObject): Plan;
  /** @param outputs Those of the state. */
  update(before: JsonObject, after: JsonObject, outputs?: JsonObject): Plan;
}

export const NOTHING: Plan = { requests: [], revision: "none", sent: new Map() };

export function plannerOf<Inputs, Live>(definition: ResourceDefinition<Inputs, Live>): Planner {
  const { table, creation } = definition;
  const { fields, fieldRules } = table;
  // A kind without an object on the platform sends no request that changes anything.
  if (creation === undefined) return { create: () => NOTHING, update: () => NOTHING };
  /** The plan for inputs that the schema refuses. */
  const unsure: Plan = { ...NOTHING, revision: definition.makesRevision === undefined ? "none" : "may" };
  const [making, changing] = table.upserts ? (["PUT", "PUT"] as const) : (["POST", "PATCH"] as const);
  const whole = (after: JsonObject): JsonObject => spread(fields, withoutProviderOnly(fieldRules, after));

  /** The inputs as they may turn out: every unknown value unchanged, one of them different, or all of them different. */
  const worlds = (after: JsonObject, before: JsonObject): JsonObject[] => {
    const [same, other] = [likely(fields, after, before), whole(after)];
    const open = unknownIn(other);
    if (open.length === 0) return [other];
    return [same, ...open.map((path) => withValueAt(same, path, valueAt(other, path))), other];
  };

  /** The possible bodies of an update, each also with every field that may go along. Undefined where the schema refuses the inputs. */
  const updated = (before: JsonObject, after: JsonObject, outputs: JsonObject): (readonly JsonObject[] | undefined)[] =>
    worlds(after, before).map((inputs) => {
      const changes = changesOf(definition, before, inputs, outputs);
      if (changes.length === 0) return [{}];
      const body = patchBody(definition, before, inputs, changes);
      if (body === undefined || definition.makesRevision?.(body) !== true) return body && [body];
      const others = [...allOf(fieldRules, inputs), ...hiddenFields(fieldRules, inputs, {})].filter(
        (change) => valueAt(inputs, change.path) !== undefined && definition.goesAlong?.(change, outputs) === true,
      );
      return [body, patchBody(definition, before, inputs, [...changes, ...others]) ?? body];
    });

  const created = (after: JsonObject): Plan => {
    const inputs = worlds(after, {}).map((world) => parsed(definition, world));
    if (!inputs.every((each) => each !== undefined)) return NOTHING;
    const bodies = inputs.map((each) => creationOf(table, creation(each, UNKNOWN), after));
    // The POST is not certain: an object with our key that a cut-off run left is taken over instead (create.ts).
    const hasOwnKey = inputs.some((each) => !sameJson([...creation(each, "")], [...creation(each, UNKNOWN)]));
    const requests = bodies[0]?.map((_body, index) => {
      const own = bodies.map((each) => each[index] ?? {});
      if (index > 0) return requestOf(changing, own);
      const post = requestOf(making, own);
      return hasOwnKey ? { ...post, isCertain: false } : post;
    });
    const all = bodies.map((each) => each.reduce((one, other) => ({ ...one, ...other }), {}));
    return { requests: requests ?? [], revision: "none", sent: sentBy(definition, all) };
  };

  const adopted = (after: JsonObject): Plan => {
    const high = whole(after);
    const { adopt } = after;
    const isById = typeof adopt === "string" && adopt !== UNKNOWN;
    // An object that is found by its name already has that name.
    const changes = allOf(fieldRules, high).filter(({ path }) => adopt !== true || path[0] !== table.naturalKey);
    const patch = changes.length === 0 ? {} : patchBody(definition, {}, high, changes);
    if (patch === undefined) return unsure;
    const made = isById ? NOTHING : created(after);
    const update = isEmpty(patch) ? [] : [requestOf(changing, [{}, patch])];
    const revision = definition.makesRevision?.(patch) === true ? "may" : "none";
    return { requests: [...made.requests, ...update].map(perhaps), revision, sent: sentBy(definition, [patch]) };
  };

  return {
    create: (after) => (after["adopt"] ? adopted(after) : created(after)),

    update(before, after, outputs = {}) {
      // It begins with a look, as an adoption does.
      if (outputs[DOUBTED] !== undefined) return adopted({ ...after, adopt: "its id" });
      const outcomes = updated(before, after, outputs);
      if (!outcomes.every((each) => each !== undefined)) return unsure;
      const bodies = outcomes.map(([own = {}]) => own);
      if (bodies.every(isEmpty)) return NOTHING;
      const makes = bodies.map((body) => definition.makesRevision?.(body) === true);
      const revision = makes.every(Boolean) ? "certain" : makes.some(Boolean) ? "may" : "none";
      const all = outcomes.flat();
      const along = [...sentBy(definition, all).keys()].map((name) => [name, "along"] as const);
      const sent = new Map([...along, ...sentBy(definition, bodies)]);
      return { requests: [requestOf(changing, all)], revision, sent };
    },
  };
}

/** The bodies that are sent; the PATCH only if the program declares inputs that the POST does not accept. */
function creationOf(table: Table, [post = {}, ...patches]: readonly JsonObject[], declared: JsonObject): JsonObject[] {
  const isComplete = sentAfterCreate(table).every((name) => declared[name] === undefined);
  return [post, ...(isComplete ? [] : patches)];
}

function patchBody<Inputs, Live>(
  definition: ResourceDefinition<Inputs, Live>,
  before: JsonObject,
  after: JsonObject,
  changes: readonly Change[],
): JsonObject | undefined {
  const wrong = problemsOfInputs(definition.table, compact(after)).map(({ path: [name] }) => name);
  // What is as before, and no value of its type, is a secret that the engine masks.
  const shown = Object.entries(compact(after)).map(
    ([name, value]) => [name, wrong.includes(name) && sameJson(value, before[name]) ? UNKNOWN : value] as const,
  );
  const inputs = parsed(definition, Object.fromEntries(shown));
  if (inputs === undefined) return undefined;
  return compact(definition.patch?.(inputs, changes, before) ?? {});
}

/** The inputs; undefined if the table refuses them. */
function parsed<Inputs, Live>(definition: ResourceDefinition<Inputs, Live>, values: JsonObject): Inputs | undefined {
  const given = compact(values);
  return areInputs(definition, given) ? given : undefined;
}

/** Every field that an adoption may have to change: those that are declared, and those with a default. */
function allOf(rules: FieldRules, after: JsonObject): Change[] {
  const declared = changesBetween(rules, {}, after);
  const defaults = Object.entries(rules).flatMap(([name, rule]) =>
    rule.default !== undefined && !rule.providerOnly ? [{ path: name.split("."), rule, removed: false }] : [],
  );
  return [...declared, ...defaults].filter(({ rule }) => rule.replaceOn !== "always");
}

function sentBy<Inputs, Live>(
  { table }: ResourceDefinition<Inputs, Live>,
  bodies: readonly JsonObject[],
): Map<string, "certain" | "may"> {
  return new Map(
    inputRows(table.fields).flatMap(([name, field]) => {
      const key = field.carriedBy ?? wireName(name, field);
      const having = bodies.filter((body) => key !== undefined && body[key] !== undefined);
      return having.length === 0 ? [] : [[name, having.length === bodies.length ? "certain" : "may"]];
    }),
  );
}

/** A request from its body in each case: a field is certain if it is in all of them. */
function requestOf(method: PlannedRequest["method"], bodies: readonly JsonObject[]): PlannedRequest {
  const names = [...new Set(bodies.flatMap((body) => Object.keys(body)))].sort();
  const fields = names.map((name) => ({
    name: name === UNKNOWN ? "*" : name,
    isCertain: bodies.every((body) => ownValue(body, name) !== undefined),
  }));
  return { method, fields, isCertain: !bodies.some(isEmpty) };
}

export const perhaps = ({ fields, ...request }: PlannedRequest): PlannedRequest => ({
  ...request,
  fields: fields.map(({ name }) => ({ name, isCertain: false })),
  isCertain: false,
});

const isEmpty = (body: JsonObject): boolean => Object.values(body).every((value) => value === undefined);

/** The inputs with each unknown object replaced by one whose fields are all unknown: any of them may change. */
function spread(fields: Fields, inputs: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, spreadValue(name, fields[name]?.type, value)]),
  );
}

function spreadValue(name: string, shape: Shape | undefined, value: Json | undefined): Json | undefined {
  // One entry, with the name of the input, stands for all entries of an unknown map. If the map has no rule for its names, the name is unknown as well.
  if (shape?.kind === "map") return value === UNKNOWN ? { [shape.names ? name : UNKNOWN]: UNKNOWN } : value;
  if (shape?.kind !== "object") return value;
  if (value !== UNKNOWN) return isObject(value) ? spread(shape.fields, value) : value;
  return spread(shape.fields, Object.fromEntries(inputRows(shape.fields).map(([each]) => [each, UNKNOWN])));
}

function unknownIn(inputs: JsonObject): string[][] {
  return Object.entries(inputs).flatMap(([name, value]) =>
    isObject(value) ? unknownIn(value).map((below) => [name, ...below]) : hasUnknown(value) ? [[name]] : [],
  );
}

/** The inputs if every unknown value turns out unchanged. A value that was absent becomes its default or the emptiest one that its type accepts. */
function likely(fields: Fields, after: JsonObject, before: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => {
      const field = fields[name];
      const old = before[name];
      if (value === UNKNOWN) return [name, old ?? field?.default ?? emptyOf(field)];
      if (field?.type.kind === "object" && isObject(value))
        return [name, likely(field.type.fields, value, isObject(old) ? old : {})];
      const isFree = field?.type.kind === "map" && field.type.of.kind === "json";
      return [name, asBefore(value, old, isFree ? {} : UNKNOWN)];
    }),
  );
}

/** The emptiest value that an unknown field may turn out to have: absent if the field is optional, otherwise null or empty; unknown if it cannot be empty. */
function emptyOf(field: Field | undefined): Json | undefined {
  const { kind } = field?.type ?? {};
  // null means the same as none.
  if (field !== undefined && isNullable(field.type)) return field.required ? null : undefined;
  if (kind !== "object" && kind !== "map" && kind !== "list") return UNKNOWN;
  return field?.required ? (kind === "list" ? [] : {}) : undefined;
}

/** The value with each unknown part unchanged. @param added Stands for a part that was absent: an empty object in a map of any JSON, otherwise unknown. */
function asBefore(value: Json | undefined, old: Json | undefined, added: Json): Json | undefined {
  if (!hasUnknown(value)) return value;
  if (value === UNKNOWN) return old ?? added;
  if (Array.isArray(value))
    return value.map((item, index) => asBefore(item, Array.isArray(old) ? old[index] : undefined, added) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      asBefore(item, isObject(old) ? ownValue(old, key) : undefined, added),
    ]),
  );
}
