import type { Observable } from "../observe/observable";
import type { State } from "../observe/context";
import { compare, hiddenFields } from "../fields/comparison";
import { replaces, type Change } from "../fields/diff";
import { AgentPlatformError } from "../../base/errors";
import { showPath, valueAt, type Path } from "../fields/fields";
import { compact, hasUnknown, isObject, sameJson, type Json, type JsonObject } from "../../base/json";
import type { Unsupported } from "../observe/observation";
import type { Context, Found } from "../observe/context";
import { observeLasting } from "./create";

/** A definition whose objects can be taken over. */
export interface Adoptable<Inputs, Live> extends Observable<Live> {
  /** Makes the object equal to the inputs, with the body of `patch`; the id stays. */
  update(context: Context, state: State, inputs: Inputs, changes: readonly Change[]): Promise<Live>;
}

/**
 * Takes over an existing object by its natural key (`adopt: true`) or its id. If it equals the declaration, this only reads; otherwise an
 * update makes it equal. Values that are never shown are always sent, because they cannot be compared. Undefined if no object has the name.
 * @param claim Called once the object is found, before it is touched; throws if another resource has it, false if it counts as absent, because this
 * program replaces it.
 */
export async function adopt<Inputs, Live>(
  definition: Adoptable<Inputs, Live>,
  context: Context,
  declared: JsonObject,
  inputs: Inputs,
  claim: (found: Found<Live>, what: string) => boolean,
): Promise<Found<Live> | undefined> {
  const plan = await planAdoption(definition, context, declared, true, claim);
  if (plan === undefined || plan.changes.length === 0) return plan?.found;
  const { found, changes, hidden, view } = plan;
  // What no answer shows may be anything.
  const shown = Object.fromEntries(Object.entries(view).filter(([name]) => !hidden.has(name)));
  const outputs = { ...shown, ...compact(definition.toComputed(found.live, {})) };
  return { id: found.id, live: await definition.update(context, { id: found.id, outputs }, inputs, changes) };
}

/** What adopting an object means. */
export interface Adoption<Live> {
  readonly found: Found<Live>;
  /** The fields that an update sends; empty if the object equals the declaration. */
  readonly changes: readonly Change[];
  readonly view: JsonObject;
  /** The declared inputs that no answer shows as a whole. */
  readonly hidden: ReadonlySet<string>;
}

/**
 * Finds out what {@link adopt} will do, and throws what it will throw. It changes nothing. Values of `declared` may be unknown.
 * @param mayWait As of {@link observeLasting}.
 */
export async function planAdoption<Live>(
  definition: Observable<Live>,
  context: Context,
  declared: JsonObject,
  mayWait: boolean,
  claim: (found: Found<Live>, what: string) => boolean = () => true,
): Promise<Adoption<Live> | undefined> {
  const { kind, naturalKey = "", fields } = definition;
  const { [naturalKey]: named } = declared;
  const name = typeof named === "string" ? named : "";
  const id = typeof declared["adopt"] === "string" ? declared["adopt"] : undefined;
  const what = `${kind} "${id ?? name}"`;
  const key = id === undefined ? { name, inputs: declared } : { id, inputs: declared };
  const result = await observeLasting(definition, context, key, mayWait);
  if (result.state === "unsupported") throw cannotLookUp(what, result);
  if (result.state === "absent") {
    if (id === undefined) return undefined;
    throw new AgentPlatformError(
      `${what} cannot be adopted: it does not exist for this key and tenant. Leave adopt out to create it`,
    );
  }
  const { value: found } = result;
  if (!claim(found, what)) return undefined;
  const { shown, view, changes: different } = compare(definition, found.live, declared, "defaults");
  const hidden = hiddenFields(fields, declared, shown, definition.showsWriteOnly?.(found.live));
  const changes = [...different, ...hidden];
  // At preview, a value that is not known yet may turn out to be equal.
  const fixed = changes.filter(
    (change) => replaces(change, context.connection.contract) && !hasUnknown(valueAt(declared, change.path)),
  );
  if (fixed.length > 0) throw cannotEqual(what, fixed, view, declared);
  const unseen = hidden.flatMap(({ path }) => (path.length === 1 ? [String(path[0])] : []));
  return { found, changes, view, hidden: new Set(unseen) };
}

function cannotLookUp(what: string, { cause }: Unsupported): AgentPlatformError {
  const why = cause === undefined ? "" : ` (${cause.message})`;
  return new AgentPlatformError(
    `${what} cannot be adopted: this platform cannot look it up${why}. Leave adopt out, or set it to the object's id, if it has one`,
    { cause },
  );
}

function cannotEqual(
  what: string,
  fixed: readonly Change[],
  view: JsonObject,
  declared: JsonObject,
): AgentPlatformError {
  const lines = fixed.flatMap(({ path }) => differences(path, view, declared));
  return new AgentPlatformError(
    `${what} cannot be adopted: it differs in fields that cannot be changed in place. Declare the values that are there, or delete it on the platform.\n${lines.join("\n")}`,
  );
}

/** A line for each value that differs. Inside objects and lists only the path is shown: the values may be credentials (headers that a proxy injects). */
function differences(path: Path, view: JsonObject, declared: JsonObject, isInside = false): string[] {
  const [there, wanted] = [valueAt(view, path), valueAt(declared, path)];
  if (sameJson(there, wanted)) return [];
  const steps = new Set([...stepsOf(there), ...stepsOf(wanted)]);
  if (steps.size > 0) return [...steps].flatMap((step) => differences([...path, step], view, declared, true));
  if (isInside) return [`  ${showPath(path)}: differs (values are not shown)`];
  return [`  ${showPath(path)}: ${show(there)} on the platform, ${show(wanted)} declared`];
}

const stepsOf = (value: Json | undefined): Path =>
  Array.isArray(value) ? value.map((_, index) => index) : isObject(value) ? Object.keys(value) : [];

const show = (value: Json | undefined): string => (value === undefined ? "nothing" : JSON.stringify(value));
