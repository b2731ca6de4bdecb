import { isMissing, noCreateOffered } from "../base/errors";
import type { JsonObject } from "../base/json";
import { messageOf } from "../base/errors";
import { compare, type Comparable } from "./comparison";
import type { Context, Found } from "./context";
import { ABSENT, mapFound, UNSUPPORTED, type Observation } from "./observation";
import { createOnce, taken, type SingleCreation } from "./create-once";
import type { Creation, ResourceDefinition } from "./definition";
import { valueAt } from "./fields";
import type { Key } from "./read-object";

/** An object that was made, or taken over. */
export interface Made<Live> extends Found<Live> {
  /** Inputs that it does not have yet, since what follows the POST failed: the next `up` sends them. */
  readonly unfinished?: { readonly missing: readonly string[]; readonly reason: string };
}

/** Creates the object of a declaration, at most once, as its definition says. */
export async function createObject<Inputs, Live>(
  definition: Pick<
    ResourceDefinition<Inputs, Live>,
    "kind" | "naturalKey" | "fields" | "undocumented" | "toInputs" | "create" | keyof Observed
  >,
  context: Context,
  declared: JsonObject,
  inputs: Inputs,
): Promise<Made<Live>> {
  const { kind, naturalKey = "", create } = definition;
  if (typeof create === "function") return create(context, inputs);
  const key = declared[naturalKey];
  const name = typeof key === "string" ? key : "";
  const creation: SingleCreation<Live> = {
    kind,
    what: `${kind} "${name}"`,
    clock: context.clock,
    post: () => offered(definition, `${kind} "${name}"`, () => create.post(context, inputs, create.body(inputs))),
    find: async () =>
      mapFound((await definition.observe?.(context, { name })) ?? UNSUPPORTED, ({ live: made }) => made),
    equal: (live) => isMade(definition, live, declared, create),
    createdAt: (live) => create.createdAt(live),
  };
  if (create.looksFirst === true) {
    const there = await observeLasting(definition, context, { name });
    if (there.state === "found") throw taken(creation, there.value.live);
  }
  const live = await createOnce(creation);
  return complete(create, creation.what, context, declared, inputs, live);
}

/** What a definition says of looking for its objects. */
type Observed = Pick<ResourceDefinition<never, never>, "observe" | "isBeingDeleted" | "untilGone">;

/** The object that a create meets: one that is being deleted counts as absent, and where it has the name, its end is waited for. */
export async function observeLasting<Inputs, Live>(
  definition: Pick<ResourceDefinition<Inputs, Live>, keyof Observed>,
  context: Context,
  key: Key,
): Promise<Observation<Found<Live>>> {
  const observe = async () => (await definition.observe?.(context, key)) ?? UNSUPPORTED;
  const seen = await observe();
  if (seen.state !== "found" || definition.isBeingDeleted?.(seen.value.live) !== true) return seen;
  if ("id" in key) return ABSENT;
  await definition.untilGone?.(context, seen.value);
  return observe();
}

/** The error for an object that has the name of a declaration already. */
export const nameTaken = <Inputs, Live>(
  definition: Comparable<Live> & Pick<ResourceDefinition<Inputs, Live>, "kind">,
  create: Creation<Inputs, Live>,
  what: string,
  live: Live,
  declared: JsonObject,
): Error =>
  taken(
    {
      kind: definition.kind,
      what,
      equal: (found) => isMade(definition, found, declared, create),
      createdAt: (found) => create.createdAt(found),
    },
    live,
  );

/** Whether an object that is there is the declared one, apart from what is sent after the POST and has not come yet. */
function isMade<Inputs, Live>(
  definition: Comparable<Live>,
  live: Live,
  declared: JsonObject,
  { undeclared, completion }: Creation<Inputs, Live>,
): boolean {
  const { shown, changes } = compare(definition, live, declared, undeclared);
  const later: readonly string[] = completion?.inputs ?? [];
  return changes.every(({ path }) => later.includes(String(path[0])) && (valueAt(shown, path) ?? null) === null);
}

/** Sends what the POST did not take. The object is there: a failure of this does not lose it, and the next `up` mends it. */
async function complete<Inputs, Live>(
  create: Creation<Inputs, Live>,
  what: string,
  context: Context,
  declared: JsonObject,
  inputs: Inputs,
  live: Live,
): Promise<Made<Live>> {
  const { completion } = create;
  const id = create.idOf(live);
  const missing = completion?.inputs.filter((name) => declared[name] !== undefined) ?? [];
  if (completion === undefined || missing.length === 0) return { id, live };
  try {
    return { id, live: await completion.send(context, live, inputs, completion.body(inputs)) };
  } catch (error) {
    const reason = `${what} (${id}) was created, but without its ${missing.join(", ")}: ${messageOf(error)}. The next \`pulumi up\` sends it`;
    return { id, live, unfinished: { missing, reason } };
  }
}

/** A POST that only contract `extended` has can meet a platform without it, whose 404 speaks of the path. */
async function offered<T>(
  { undocumented }: Pick<ResourceDefinition<never, never>, "undocumented">,
  what: string,
  post: () => Promise<T>,
): Promise<T> {
  try {
    return await post();
  } catch (error) {
    throw undocumented.includes("create") && isMissing(error) ? noCreateOffered(what, error) : error;
  }
}
