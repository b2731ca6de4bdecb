import type { JsonObject } from "../base/json";
import { compare } from "./comparison";
import type { Context, Found } from "./context";
import { createOnce, taken, type SingleCreation } from "./create-once";
import type { ResourceDefinition } from "./definition";

/** Creates the object of a declaration, at most once, as its definition says. */
export async function createObject<Inputs, Live>(
  definition: Pick<ResourceDefinition<Inputs, Live>, "kind" | "naturalKey" | "fields" | "toInputs" | "find" | "create">,
  context: Context,
  declared: JsonObject,
  inputs: Inputs,
): Promise<Found<Live>> {
  const { kind, naturalKey = "", create } = definition;
  if (typeof create === "function") return create(context, inputs);
  const key = declared[naturalKey];
  const name = typeof key === "string" ? key : "";
  const creation: SingleCreation<Live> = {
    kind,
    what: `${kind} "${name}"`,
    clock: context.clock,
    post: () => create.post(context, inputs),
    find: () => create.lookup(context, inputs),
    equal: (live) => compare(definition, live, declared, create.undeclared).changes.length === 0,
    createdAt: (live) => create.createdAt(live),
  };
  if (create.looksFirst === true) {
    const there = await definition.find?.(context, { name, id: undefined });
    if (there?.state === "found") throw taken(creation, there.value.live);
  }
  const live = await createOnce(creation);
  return { id: create.idOf(live), live };
}
