import type { Context, Found, ResourceDefinition } from "./definition";
import { changesBetween, hiddenFields, liveView, replaces, type Change } from "./diff";
import { AgentPlatformError } from "./errors";
import { showPath, valueAt } from "./fields";
import { compact, type Json, type JsonObject } from "./json";

/**
 * Takes an existing object over: by its natural key (`adopt: true`), or by its id. Equal: reads alone. Different: the update that makes
 * it equal. What is never shown is always sent, since nobody can tell whether it is equal. Undefined where there is nothing to take over by name.
 * @param claim Called once the object is found, before it is touched; throws where another resource has it.
 */
export async function adopt<Inputs, Live>(
  definition: ResourceDefinition<Inputs, Live>,
  context: Context,
  declared: JsonObject,
  inputs: Inputs,
  claim: (id: string, what: string) => void,
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
  claim(found.id, what);
  const live = compact(definition.toInputs(found.live, declared));
  const view = liveView(fields, declared, live);
  const changes = [...changesBetween(fields, view, declared), ...hiddenFields(fields, declared, live)];
  const fixed = changes.filter((change) => replaces(change, context.connection.contract));
  if (fixed.length > 0) throw different(what, fixed, view, declared);
  if (changes.length === 0) return found;
  const outputs = { ...view, ...compact(definition.toComputed(found.live, {})) };
  return { id: found.id, live: await definition.update(context, { id: found.id, outputs }, inputs, changes) };
}

function different(what: string, fixed: readonly Change[], view: JsonObject, declared: JsonObject): AgentPlatformError {
  const lines = fixed.map(
    ({ path }) =>
      `  ${showPath(path)}: ${show(valueAt(view, path))} on the platform, ${show(valueAt(declared, path))} declared`,
  );
  return new AgentPlatformError(
    `${what} cannot be adopted: it differs in what cannot be changed in place. Declare what is there, or delete it on the platform.\n${lines.join("\n")}`,
  );
}

const show = (value: Json | undefined): string => (value === undefined ? "nothing" : JSON.stringify(value));
