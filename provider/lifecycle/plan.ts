import { compact, hasUnknown, isObject, sameJson, UNKNOWN, type Json, type JsonObject } from "../base/json";
import { hiddenFields, withValueAt } from "./fields/comparison";
import type { ResourceDefinition } from "./definition";
import { changesOf } from "./checks";
import { changesBetween, type Change } from "./fields/diff";
import { valueAt, withoutProviderOnly, type FieldRules } from "./fields/fields";
import { wireName } from "./fields/rename";
import {
  sentAfterCreate,
  inputRows,
  isNullable,
  type Field,
  type Fields,
  type Shape,
  type Table,
} from "./fields/table";

// What `up` sends for one object, made before anything is sent by the functions that make the bodies of its requests. A value that is not known
// yet may turn out as it was or as anything else: what is sent however they turn out is certain, anything else may be.

/** A request that changes the platform, without its path and its values. */
export interface PlannedRequest {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** The platform's names of what is in the body, ordered; of a PATCH only what changes. */
  readonly fields: readonly PlannedField[];
  /** False if it depends on a value that is not known yet, or on what the platform has. */
  readonly isCertain: boolean;
}

/** "*": any field, because the names are not known yet. */
export interface PlannedField {
  readonly name: string;
  readonly isCertain: boolean;
}

/** Everything that follows for the platform from one step of the engine. */
export interface Plan {
  /** In the order in which they are sent. */
  readonly requests: readonly PlannedRequest[];
  /** Whether a new revision of an existing object comes. */
  readonly revision: "none" | "may" | "certain";
  /**
   * The inputs whose values are sent; an environment is one list on the wire, so both of its maps are. "along": unchanged ones that are sent only
   * if somebody else has changed the object.
   */
  readonly sent: ReadonlyMap<string, "certain" | "may" | "along">;
}

/** What the plans of a kind are made of. */
type Planned<Inputs, Live> = Pick<
  ResourceDefinition<Inputs, Live>,
  "table" | "fields" | "inputs" | "creation" | "patch" | "makesRevision" | "goesAlong" | "suppressDiff"
>;

/** Plans the steps of one kind. The inputs are the declared ones; values of `after` may be unknown. */
export interface Planner {
  create(after: JsonObject): Plan;
  /** An existing object is taken over and made equal, whatever it is like; by its name, it may have to be created. */
  adopt(after: JsonObject): Plan;
  /** @param outputs Those of the state. */
  update(before: JsonObject, after: JsonObject, outputs?: JsonObject): Plan;
}

/** Nothing is sent. */
export const NOTHING: Plan = { requests: [], revision: "none", sent: new Map() };
/** Of inputs that the schema refuses: no verb takes them. */
const UNSURE: Plan = { ...NOTHING, revision: "may" };

export function plannerOf<Inputs, Live>(definition: Planned<Inputs, Live>): Planner {
  const { table, fields, creation } = definition;
  // A kind without an object of its own sends nothing that changes one.
  if (creation === undefined) return { create: () => NOTHING, adopt: () => NOTHING, update: () => NOTHING };
  const whole = (after: JsonObject): JsonObject => spread(table.fields, withoutProviderOnly(fields, after));

  /** The inputs as they may turn out: all as they were, one of them anything, all of them anything. */
  const worlds = (after: JsonObject, before: JsonObject): JsonObject[] => {
    const [same, other] = [likely(table.fields, after, before), whole(after)];
    const open = unknownIn(other);
    if (open.length === 0) return [other];
    return [same, ...open.map((path) => withValueAt(same, path, valueAt(other, path))), other];
  };

  /** An update as it may turn out: its bodies, and each as it is if everything that can go along does. Undefined for what the schema refuses. */
  const updated = (before: JsonObject, after: JsonObject, outputs: JsonObject): (readonly JsonObject[] | undefined)[] =>
    worlds(after, before).map((inputs) => {
      const changes = changesOf(definition, before, inputs, outputs);
      if (changes.length === 0) return [{}];
      const body = patchBody(definition, before, inputs, changes);
      if (body === undefined || definition.makesRevision?.(body) !== true) return body && [body];
      const others = [...allOf(fields, inputs), ...hiddenFields(fields, inputs, {})].filter(
        (change) => valueAt(inputs, change.path) !== undefined && definition.goesAlong?.(change, outputs) === true,
      );
      return [body, patchBody(definition, before, inputs, [...changes, ...others]) ?? body];
    });

  const created = (after: JsonObject): Plan => {
    const inputs = worlds(after, {}).map((world) => parsed(definition, world));
    if (!inputs.every((each) => each !== undefined)) return { ...UNSURE, revision: "none" };
    const bodies = inputs.map((each) => creationOf(table, creation(each, UNKNOWN), after));
    // What a run that was cut off has made with the key is taken over instead (create.ts).
    const hasOwnKey = inputs.some((each) => !sameJson([...creation(each, "")], [...creation(each, UNKNOWN)]));
    const requests = bodies[0]?.map((_body, index) => {
      const own = bodies.map((each) => each[index] ?? {});
      if (index > 0) return requestOf("PATCH", own);
      const post = requestOf("POST", own);
      return hasOwnKey ? { ...post, isCertain: false } : post;
    });
    const all = bodies.map((each) => each.reduce((one, other) => ({ ...one, ...other }), {}));
    return { requests: requests ?? [], revision: "none", sent: sentBy(definition, all) };
  };

  return {
    create: created,

    adopt(after) {
      const high = whole(after);
      const { adopt } = after;
      const isById = typeof adopt === "string" && adopt !== UNKNOWN;
      // What is found by its name has that name.
      const changes = allOf(fields, high).filter(({ path }) => adopt !== true || path[0] !== table.naturalKey);
      const patch = changes.length === 0 ? {} : patchBody(definition, {}, high, changes);
      if (patch === undefined) return UNSURE;
      const made = isById ? NOTHING : created(after);
      const update = isEmpty(patch) ? [] : [requestOf("PATCH", [{}, patch])];
      const revision = definition.makesRevision?.(patch) === true ? "may" : "none";
      return { requests: [...made.requests, ...update].map(perhaps), revision, sent: sentBy(definition, [patch]) };
    },

    update(before, after, outputs = {}) {
      const outcomes = updated(before, after, outputs);
      if (!outcomes.every((each) => each !== undefined)) return UNSURE;
      const bodies = outcomes.map(([own = {}]) => own);
      if (bodies.every(isEmpty)) return NOTHING;
      const makes = bodies.map((body) => definition.makesRevision?.(body) === true);
      const revision = makes.every(Boolean) ? "certain" : makes.some(Boolean) ? "may" : "none";
      const all = outcomes.flat();
      const along = [...sentBy(definition, all).keys()].map((name) => [name, "along"] as const);
      const sent = new Map([...along, ...sentBy(definition, bodies)]);
      return { requests: [requestOf("PATCH", all)], revision, sent };
    },
  };
}

/** The bodies that are sent: that of the PATCH only where the program declares what the POST does not take. */
function creationOf(table: Table, [post = {}, ...patches]: readonly JsonObject[], declared: JsonObject): JsonObject[] {
  const isComplete = sentAfterCreate(table).every((name) => declared[name] === undefined);
  return [post, ...(isComplete ? [] : patches)];
}

function patchBody<Inputs, Live>(
  definition: Planned<Inputs, Live>,
  before: JsonObject,
  after: JsonObject,
  changes: readonly Change[],
): JsonObject | undefined {
  const inputs = parsed(definition, after);
  if (inputs === undefined) return undefined;
  const body = definition.patch?.(inputs, changes, before) ?? {};
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** The schema takes unknown values everywhere; undefined for what it refuses. */
const parsed = <Inputs, Live>({ inputs }: Planned<Inputs, Live>, values: JsonObject): Inputs | undefined =>
  inputs.schema.safeParse(compact(values)).data;

/** Every field that an adoption may have to change: those that are declared, and those with a default. */
function allOf(fields: FieldRules, after: JsonObject): Change[] {
  const declared = changesBetween(fields, {}, after);
  const defaults = Object.entries(fields).flatMap(([name, rule]) =>
    rule.default !== undefined && !rule.providerOnly ? [{ path: name.split("."), rule, removed: false }] : [],
  );
  return [...declared, ...defaults].filter(({ rule }) => rule.replaceOn !== "always");
}

function sentBy<Inputs, Live>(
  { table }: Planned<Inputs, Live>,
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

/** A request, by its body in each world: certain is what is in all of them. */
function requestOf(method: PlannedRequest["method"], bodies: readonly JsonObject[]): PlannedRequest {
  const names = [...new Set(bodies.flatMap((body) => Object.keys(body)))].sort();
  const fields = names.map((name) => ({
    name: name === UNKNOWN ? "*" : name,
    isCertain: bodies.every((body) => body[name] !== undefined),
  }));
  return { method, fields, isCertain: !bodies.some(isEmpty) };
}

/** The same request, if it is not sure that it is sent. */
export const perhaps = ({ fields, ...request }: PlannedRequest): PlannedRequest => ({
  ...request,
  fields: fields.map(({ name }) => ({ name, isCertain: false })),
  isCertain: false,
});

const isEmpty = (body: JsonObject): boolean => Object.values(body).every((value) => value === undefined);

/** The inputs with an object that is not known as one whose fields are not known: any of them may change. */
function spread(fields: Fields, inputs: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, spreadValue(name, fields[name]?.type, value)]),
  );
}

function spreadValue(name: string, shape: Shape | undefined, value: Json | undefined): Json | undefined {
  // One entry stands for all; no other map has one of that name. Of a map of any fields, not even the names are known.
  if (shape?.kind === "map") return value === UNKNOWN ? { [shape.names ? name : UNKNOWN]: UNKNOWN } : value;
  if (shape?.kind !== "object") return value;
  if (value !== UNKNOWN) return isObject(value) ? spread(shape.fields, value) : value;
  return spread(shape.fields, Object.fromEntries(inputRows(shape.fields).map(([each]) => [each, UNKNOWN])));
}

/** The places of the values that are not known. */
function unknownIn(inputs: JsonObject): string[][] {
  return Object.entries(inputs).flatMap(([name, value]) =>
    isObject(value) ? unknownIn(value).map((below) => [name, ...below]) : hasUnknown(value) ? [[name]] : [],
  );
}

/** The inputs if what is not known yet turns out as it was. A value that was not there is new, unless it may turn out to be empty. */
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

/** What may turn out to be empty is absent then; of what has to be there, the least. */
function emptyOf(field: Field | undefined): Json | undefined {
  const { kind } = field?.type ?? {};
  // null means the same as none.
  if (field !== undefined && isNullable(field.type)) return field.required ? null : undefined;
  if (kind !== "object" && kind !== "map" && kind !== "list") return UNKNOWN;
  return field?.required ? (kind === "list" ? [] : {}) : undefined;
}

/** A value in which each unknown part is as it was. @param added What stands for a part that was not there: of any fields, it may turn out to be empty. */
function asBefore(value: Json | undefined, old: Json | undefined, added: Json): Json | undefined {
  if (!hasUnknown(value)) return value;
  if (value === UNKNOWN) return old ?? added;
  if (Array.isArray(value))
    return value.map((item, index) => asBefore(item, Array.isArray(old) ? old[index] : undefined, added) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, asBefore(item, isObject(old) ? old[key] : undefined, added)]),
  );
}
