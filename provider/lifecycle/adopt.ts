import type { Context, Found, ResourceDefinition } from "./definition";
import { changesBetween, liveView, replaces, type Change } from "./diff";
import { AgentPlatformError } from "./errors";
import { showPath } from "./fields";
import { compact, isObject, type Json, type JsonObject } from "./json";

/**
 * Takes an existing object over: by its natural key (`adopt: true`), or by its id. Equal: reads alone. Different: the update that makes
 * it equal. What is never shown is always sent, since nobody can tell whether it is equal. Undefined where there is nothing to take over by name.
 */
export async function adopt<Inputs, Live>(
  definition: ResourceDefinition<Inputs, Live>,
  context: Context,
  declared: JsonObject,
  inputs: Inputs,
): Promise<Found<Live> | undefined> {
  const { kind, naturalKey = "", fields } = definition;
  const key = declared[naturalKey];
  const name = typeof key === "string" ? key : "";
  const id = typeof declared["adopt"] === "string" ? declared["adopt"] : undefined;
  const what = `${kind} "${id ?? name}"`;
  const found = await definition.find?.(context, { name, id });
  if (found === "no way")
    throw new AgentPlatformError(
      `${what} cannot be adopted: this platform offers no way to look it up. Leave adopt out, or give its id where it has one`,
    );
  if (found === undefined) {
    if (id === undefined) return undefined;
    throw new AgentPlatformError(
      `${what} cannot be adopted: it does not exist for this key and tenant. Leave adopt out to create it`,
    );
  }
  const live = compact(definition.toInputs(found.live, declared));
  const view = liveView(fields, declared, live);
  const changes = [...changesBetween(fields, view, declared), ...unseen(definition, declared, live)];
  const fixed = changes.filter((change) => replaces(change, context.connection.contract));
  if (fixed.length > 0) throw different(what, fixed, view, declared);
  if (changes.length === 0) return found;
  const outputs = { ...view, ...compact(definition.toComputed(found.live, {})) };
  return { id: found.id, live: await definition.update(context, { id: found.id, outputs }, inputs, changes) };
}

/** Declared fields of which the answer says nothing: null of such a field can also mean that nobody ever set it. */
function unseen<Inputs, Live>(
  { fields }: ResourceDefinition<Inputs, Live>,
  declared: JsonObject,
  live: JsonObject,
): Change[] {
  return Object.entries(fields).flatMap(([name, rule]) => {
    const path = name.split(".");
    const value = at(declared, path);
    const isEmpty = value === undefined || (isObject(value) && Object.keys(value).length === 0);
    const isHidden = rule.writeOnly || (rule.unreadable === "when-null" && (at(live, path) ?? null) === null);
    return isHidden && !isEmpty ? [{ path, rule, removed: false }] : [];
  });
}

function different(what: string, fixed: readonly Change[], view: JsonObject, declared: JsonObject): AgentPlatformError {
  const lines = fixed.map(
    ({ path }) => `  ${showPath(path)}: ${show(at(view, path))} on the platform, ${show(at(declared, path))} declared`,
  );
  return new AgentPlatformError(
    `${what} cannot be adopted: it differs in what cannot be changed in place. Declare what is there, or delete it on the platform.\n${lines.join("\n")}`,
  );
}

function at(inputs: JsonObject, path: readonly (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>((value, step) => (isObject(value) ? value[step] : undefined), inputs);
}

const show = (value: Json | undefined): string => (value === undefined ? "nothing" : JSON.stringify(value));
