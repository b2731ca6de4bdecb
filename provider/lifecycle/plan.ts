import { compact, hasUnknown, isObject, ownValue, sameJson, UNKNOWN, type Json, type JsonObject } from "../base/json";
import { hiddenFields, withValueAt } from "./fields/comparison";
import { areInputs, type ResourceDefinition } from "./definition";
import { changesOf } from "./checks";
import { changesBetween, type Change } from "./fields/diff";
import { valueAt, withoutProviderOnly, type FieldRules } from "./fields/fields";
import { wireName } from "./fields/rename";
import { problemsOfInputs } from "./fields/schema";
import { unreadIn } from "./observe/shortest-declaration";
import { DOUBTED } from "./state";
import { sentAfterCreate, inputRows, isNullable, type Field, type Fields, type Shape } from "./fields/table";

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

export const NOTHING: Plan = { requests: [], revision: "none", sent: new Map() };

/** Plans the steps of one kind. The inputs are the declared ones; values of `after` may be unknown. */
export class Planner<Inputs, Live> {
  constructor(private readonly definition: ResourceDefinition<Inputs, Live>) {}

  /** With `adopt`, an existing object of unknown values is made equal; if it is adopted by name, it may have to be created. */
  create(after: JsonObject): Plan {
    return after["adopt"] ? this.adopted(after) : this.created(after);
  }

  /** @param outputs Those of the state. */
  update(before: JsonObject, after: JsonObject, outputs: JsonObject = {}): Plan {
    if (this.definition.creation === undefined) return NOTHING;
    // It begins with a look, as an adoption does.
    if (outputs[DOUBTED] !== undefined) return this.adopted({ ...after, adopt: "its id" });
    const outcomes = this.worlds(after, before).map((inputs) => this.updated(before, inputs, outputs));
    if (!outcomes.every((each) => each !== undefined)) return this.unsure;
    const bodies = outcomes.map(([own = {}]) => own);
    if (bodies.every(isEmpty)) return NOTHING;
    const makes = bodies.map((body) => this.definition.makesRevision?.(body) === true);
    const revision = makes.every(Boolean) ? "certain" : makes.some(Boolean) ? "may" : "none";
    const all = outcomes.flat();
    const along = [...this.sentBy(all).keys()].map((name) => [name, "along"] as const);
    return { requests: [this.change(all)], revision, sent: new Map([...along, ...this.sentBy(bodies)]) };
  }

  /** The plan for inputs that the schema refuses. */
  private get unsure(): Plan {
    return { ...NOTHING, revision: this.definition.makesRevision === undefined ? "none" : "may" };
  }

  private created(after: JsonObject): Plan {
    const { creation, table } = this.definition;
    // A kind without an object on the platform sends no request that changes anything.
    if (creation === undefined) return NOTHING;
    const inputs = this.worlds(after, {}).map((world) => this.parsed(world));
    if (!inputs.every((each) => each !== undefined)) return NOTHING;
    // The POST is not certain: an object with our key that a cut-off run left is taken over instead (create.ts).
    const hasOwnKey = inputs.some((each) => !sameJson([...creation(each, "")], [...creation(each, UNKNOWN)]));
    const bodies = inputs.map((each) => creation(each, UNKNOWN));
    const posts = bodies.map(([body = {}]) => body);
    const post = requestOf(table.upserts ? "PUT" : "POST", posts);
    // The PATCH is sent only if the program declares inputs that the POST does not accept.
    const isComplete = sentAfterCreate(table).every((name) => after[name] === undefined);
    const patches = isComplete ? [] : bodies.map(([, body = {}]) => body);
    const requests = [hasOwnKey ? { ...post, isCertain: false } : post, ...(isComplete ? [] : [this.change(patches)])];
    const all = posts.map((body, index) => ({ ...body, ...patches[index] }));
    return { requests, revision: "none", sent: this.sentBy(all) };
  }

  private adopted(after: JsonObject): Plan {
    const { table, makesRevision } = this.definition;
    const high = this.whole(after);
    const { adopt } = after;
    const isById = typeof adopt === "string" && adopt !== UNKNOWN;
    // An object that is found by its name already has that name.
    const changes = allOf(table.fieldRules, high).filter(({ path }) => adopt !== true || path[0] !== table.naturalKey);
    const patch = changes.length === 0 ? {} : this.patchBody({}, high, changes);
    if (patch === undefined) return this.unsure;
    const made = isById ? NOTHING : this.created(after);
    const update = isEmpty(patch) ? [] : [this.change([{}, patch])];
    const revision = makesRevision?.(patch) === true ? "may" : "none";
    return { requests: [...made.requests, ...update].map(perhaps), revision, sent: this.sentBy([patch]) };
  }

  /** The body of an update to these inputs, and that with every field that may go along. Undefined where the schema refuses the inputs. */
  private updated(before: JsonObject, inputs: JsonObject, outputs: JsonObject): readonly JsonObject[] | undefined {
    const { definition } = this;
    const { fieldRules } = definition.table;
    const changes = changesOf(definition, before, inputs, outputs);
    if (changes.length === 0) return [{}];
    const body = this.patchBody(before, inputs, changes);
    if (body === undefined || definition.makesRevision?.(body) !== true) return body && [body];
    const others = [...allOf(fieldRules, inputs), ...hiddenFields(fieldRules, inputs, {})].filter(
      (change) => valueAt(inputs, change.path) !== undefined && definition.goesAlong?.(change, outputs) === true,
    );
    return [body, this.patchBody(before, inputs, [...changes, ...others]) ?? body];
  }

  /** The inputs as they may turn out: every unknown value unchanged, one of them different, or all of them different. */
  private worlds(after: JsonObject, before: JsonObject): JsonObject[] {
    const [same, other] = [likely(this.definition.table.fields, after, before), this.whole(after)];
    const open = unknownIn(other);
    if (open.length === 0) return [other];
    return [same, ...open.map((path) => withValueAt(same, path, valueAt(other, path))), other];
  }

  private whole(after: JsonObject): JsonObject {
    const { fields, fieldRules } = this.definition.table;
    return spread(fields, withoutProviderOnly(fieldRules, after));
  }

  private patchBody(before: JsonObject, after: JsonObject, changes: readonly Change[]): JsonObject | undefined {
    const { table, patch } = this.definition;
    const wrong = problemsOfInputs(table, compact(after)).map(({ path: [name] }) => name);
    // What is as before, and no value of its type, is a secret that the engine masks.
    const shown = Object.entries(compact(after)).map(
      ([name, value]) => [name, wrong.includes(name) && sameJson(value, before[name]) ? UNKNOWN : value] as const,
    );
    const inputs = this.parsed(Object.fromEntries(shown), before);
    return inputs && compact(patch?.(inputs, changes, before) ?? {});
  }

  /** The inputs; undefined if the table refuses them. */
  private parsed(values: JsonObject, before: JsonObject = {}): (JsonObject & Inputs) | undefined {
    const given = compact(values);
    return areInputs(this.definition, given, unreadIn(this.definition.table, before, given)) ? given : undefined;
  }

  private change(bodies: readonly JsonObject[]): PlannedRequest {
    return requestOf(this.definition.table.upserts ? "PUT" : "PATCH", bodies);
  }

  private sentBy(bodies: readonly JsonObject[]): Map<string, "certain" | "may"> {
    return new Map(
      inputRows(this.definition.table.fields).flatMap(([name, field]) => {
        const key = field.carriedBy ?? wireName(name, field);
        const having = bodies.filter((body) => key !== undefined && body[key] !== undefined);
        return having.length === 0 ? [] : [[name, having.length === bodies.length ? "certain" : "may"]];
      }),
    );
  }
}

/** Every field that an adoption may have to change: those that are declared, and those with a default. */
function allOf(rules: FieldRules, after: JsonObject): Change[] {
  const declared = changesBetween(rules, {}, after);
  const defaults = Object.entries(rules).flatMap(([name, rule]) =>
    rule.default !== undefined && !rule.providerOnly ? [{ path: name.split("."), rule, removed: false }] : [],
  );
  return [...declared, ...defaults].filter(({ rule }) => rule.replaceOn !== "always");
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
