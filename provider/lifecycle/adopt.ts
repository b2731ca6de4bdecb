import { AgentPlatformError } from "../base/errors";
import { compact, hasUnknown, sameJson, type Json, type JsonObject, textIn } from "../base/json";
import type { Wanted } from "./definition";
import { compare, type Compared } from "./fields/comparison";
import { replaces, type Change } from "./fields/diff";
import { showPath, stepsIn, valueAt, type Path } from "./fields/fields";
import { sentAfterCreate, type Table } from "./fields/table";
import { describe } from "./naming";
import type { Context, Found } from "./observe/context";
import type { Observable } from "./observe/observable";
import { ABSENT, UNSUPPORTED, type Observation, type Unsupported } from "./observe/observation";
import type { Key } from "./observe/read-object";
import { waitUntilGone } from "./wait/wait";

/**
 * Takes over an existing object by its natural key (`adopt: true`) or its id, or an object that a create of this run left unfinished. If it equals the
 * declaration, nothing is sent; otherwise an update makes it equal. Values that no answer shows are always sent, because they cannot be compared.
 * Undefined if the program does not adopt, if no object has the name, or if the object with the name is one that this program replaces.
 */
export async function adopt<Inputs, Live>(
  context: Context,
  { type, declared, inputs, begunId, isBeingReplaced, claim }: Wanted<Inputs, Live>,
): Promise<Found<Live> | undefined> {
  const isBegun = begunId !== undefined;
  if (!isBegun && !declared["adopt"]) return undefined;
  // Where names repeat, the new object of a replacement has the name of the old one, which must not be adopted.
  const isOld = type.table.namesRepeat ? isBeingReplaced : undefined;
  const key = isBegun ? { ...declared, adopt: begunId } : declared;
  const plan = await planAdoption(type, context, key, true, isOld);
  if (plan === undefined) return undefined;
  const { found, different, hidden, view, what } = plan;
  // The POST of this run has already sent the hidden values, except those that are sent after it.
  const later = sentAfterCreate(type.table);
  const unknown = isBegun ? hidden.filter(({ path: [name] }) => later.includes(String(name))) : hidden;
  const changes = [...different, ...unknown];
  if (!isBegun) claim(found, what);
  if (changes.length === 0) return found;
  // Leave out the hidden fields: their live values are unknown.
  const unseen = new Set(hidden.flatMap(({ path }) => (path.length === 1 ? [path[0]] : [])));
  const shown = Object.fromEntries(Object.entries(view).filter(([name]) => !unseen.has(name)));
  const outputs = { ...shown, ...compact(type.toComputed(found.live, {})) };
  return { id: found.id, live: await type.update(context, { id: found.id, outputs }, inputs, changes) };
}

export interface AdoptionPlan<Live> {
  readonly found: Found<Live>;
  readonly what: string;
  readonly different: readonly Change[];
  /** The declared fields whose live values no answer shows. */
  readonly hidden: readonly Change[];
  readonly view: JsonObject;
}

/**
 * Works out what {@link adopt} will do, and throws the errors that it will throw. Changes nothing. Values of `declared` may be unknown. Undefined if no
 * object has the name.
 * @param mayWait As in {@link observeLasting}. @param isOld True for an object that counts as absent.
 */
export async function planAdoption<Live>(
  type: Observable<Live>,
  context: Context,
  declared: JsonObject,
  mayWait: boolean,
  isOld: (found: Found<Live>) => boolean = () => false,
): Promise<AdoptionPlan<Live> | undefined> {
  const { table } = type;
  const id = textIn(declared, "adopt");
  const what = id === undefined ? describe(type.table, declared) : `${table.kind} "${id}"`;
  const key = id === undefined ? keyOfName(table, declared) : { id, inputs: declared };
  const result = await observeLasting(type, context, key, mayWait);
  if (result.state === "unsupported") throw cannotLookUp(what, result);
  if (result.state === "absent") {
    if (id === undefined) return undefined;
    throw new AgentPlatformError(
      `${what} cannot be adopted: it does not exist for this key and tenant. Leave adopt out to create it`,
    );
  }
  const { value: found } = result;
  if (isOld(found)) return undefined;
  const compared = compare(type, found.live, declared, "defaults");
  const { view, changes: different, hidden } = compared;
  const fixed = fixedIn(compared, context, declared);
  if (fixed.length > 0) throw cannotEqual(what, fixed, view, declared);
  return { found, what, different, hidden, view };
}

/** What no update can make equal. At preview, a value that is not known yet may turn out to be equal. */
export const fixedIn = ({ changes, hidden }: Compared, { connection }: Context, declared: JsonObject): Change[] =>
  [...changes, ...hidden].filter(
    (change) => replaces(change, connection.contract) && !hasUnknown(valueAt(declared, change.path)),
  );

/** Identifies the object that has the name of a declaration. */
export const keyOfName = ({ naturalKey = "" }: Table, declared: JsonObject): Key => ({
  name: textIn(declared, naturalKey) ?? "",
  inputs: declared,
});

/**
 * Looks up an object for a create; one that is being deleted counts as absent.
 * @param mayWait If the object that is being deleted has the name, waits until it is gone and looks the name up again. A preview does not wait.
 */
export async function observeLasting<Live>(
  type: Observable<Live>,
  context: Context,
  key: Key,
  mayWait: boolean,
): Promise<Observation<Found<Live>>> {
  const observe = async () => (await type.observe?.(context, key)) ?? UNSUPPORTED;
  const seen = await observe();
  if (seen.state !== "found" || type.isBeingDeleted?.(seen.value.live) !== true) return seen;
  if ("id" in key || !mayWait || type.table.namesRepeat) return ABSENT;
  const { id } = seen.value;
  await waitUntilGone(context, `${describe(type.table, key.inputs ?? {})} (${id})`, async () => {
    const still = await type.observe?.(context, { id });
    return still?.state === "found" ? statusOf(type, still.value.live) : undefined;
  });
  return observe();
}

const statusOf = <Live>(type: Observable<Live>, live: Live): string =>
  textIn(type.toDetails?.(live) ?? {}, "status") ?? "being deleted";

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
  const steps = new Set([...stepsIn(there), ...stepsIn(wanted)].map(([step]) => step));
  if (steps.size > 0) return [...steps].flatMap((step) => differences([...path, step], view, declared, true));
  if (isInside) return [`  ${showPath(path)}: differs (values are not shown)`];
  return [`  ${showPath(path)}: ${show(there)} on the platform, ${show(wanted)} declared`];
}

const show = (value: Json | undefined): string => (value === undefined ? "nothing" : JSON.stringify(value));
