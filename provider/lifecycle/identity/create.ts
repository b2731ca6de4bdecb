import { AgentPlatformError, isMissing, messageOf, noCreateOffered } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import { compare, type Comparable, type Undeclared } from "../fields/comparison";
import type { Context, Found } from "../observe/context";
import { ABSENT, mapFound, UNSUPPORTED, type Observation } from "../observe/observation";
import { createOnce, isOwn, taken, type SingleCreation } from "./create-once";
import type { Observable } from "../observe/observable";
import type { Answer } from "../../http/request";
import type { Change } from "../fields/diff";
import { showPath, valueAt } from "../fields/fields";
import type { Key } from "../observe/read-object";

/** How to create an object, so that the lifecycle can do it at most once (docs/internals/design.md, Creating once). */
export interface Creation<Inputs, Live> {
  /** The body of the POST. Pure: a preview asks for it, too, with values that are not known yet. @param ownKey That of `own`; else empty. */
  body(inputs: Inputs, ownKey: string): JsonObject;
  /** Sends the POST, once, with the body of `body`. */
  post(context: Context, inputs: Inputs, body: JsonObject): Promise<Answer<Live>>;
  /** When the object was created, as the platform says. */
  createdAt(live: Live): string | null | undefined;
  /** The id in the state. */
  idOf(live: Live): string;
  /** The platform may accept a name that is taken, so we look it up before the POST. @default false */
  readonly observeFirst?: boolean;
  /** Which undeclared live values make an object that was found a different one (comparison.ts). */
  readonly undeclared: Undeclared;
  readonly completion?: Completion<Inputs, Live>;
  /** For an object without a name that only one can have. @default the natural key finds it */
  readonly own?: OwnKey<Inputs, Live>;
}

/**
 * A key that a POST gives the object, made from the resource itself: whatever has it was made by an earlier attempt, which was cut off before the
 * state knew of it. One that is as declared is taken over; any other one is an error that names `adopt`.
 */
export interface OwnKey<Inputs, Live> {
  /** @param urn Of the resource. */
  of(urn: string, inputs: Inputs): string;
  /** The key is made from all inputs, too: what a POST of ours has made was as declared, whatever has become of it since. @default false */
  readonly isOfInputs?: true;
  /** Looks for an object that has the key and is wanted. @param inputs Those of the resource. */
  observe(
    context: Context,
    ownKey: string,
    inputs: Inputs,
    isWanted: (found: Found<Live>) => boolean,
  ): Promise<Observation<Found<Live>>>;
  /** Whether an object that its name found has the key: a list may not show yet what was just made. @default nothing is looked for by name */
  has?(live: Live, ownKey: string): boolean;
  /** Whether an object of an earlier attempt can be taken over. @default each can */
  isOfUse?(live: Live, inputs: Inputs): boolean;
  /** Of a type whose names repeat: whether the resource made the object, with whatever inputs. It then gives its name to a new one. @default it did not */
  isMadeBy?(live: Live, urn: string): boolean;
  /** Called before an object gives its name to a new one. @param inputs Those of the new one. */
  giveWay?(context: Context, holder: Found<Live>, inputs: Inputs): Promise<void>;
}

/**
 * What a POST does not take: sent once the object is there. Where that fails, the object stays, and its outputs lack these inputs, so that
 * the next `up` sends them.
 */
export interface Completion<Inputs, Live> {
  readonly inputs: readonly (keyof Inputs & string)[];
  /** The body of the PATCH. */
  body(inputs: Inputs): JsonObject;
  send(context: Context, live: Live, inputs: Inputs, body: JsonObject): Promise<Live>;
}

/** A definition whose objects can be created. */
export interface Creatable<Inputs, Live> extends Observable<Live> {
  /** How to create the object: with a POST that the lifecycle sends once, or with a function, for a type that has no object of its own. */
  readonly create: Creation<Inputs, Live> | ((context: Context, inputs: Inputs) => Promise<Found<Live>>);
}

/** An object that was made, or taken over. */
export interface Made<Live> extends Found<Live> {
  /** An earlier attempt had made it. */
  readonly isFound?: true;
  /** Inputs that it does not have yet, since what follows the POST failed: the next `up` sends them. */
  readonly unfinished?: { readonly missing: readonly string[]; readonly reason: string };
}

/**
 * Creates the object of a declaration, at most once, as its definition says.
 * @param isBeingReplaced Whether this program is about to delete the object, because a new one takes its place.
 */
export async function createObject<Inputs, Live>(
  definition: Creatable<Inputs, Live>,
  context: Context,
  declared: JsonObject,
  inputs: Inputs,
  isBeingReplaced: (found: Found<Live>) => boolean,
): Promise<Made<Live>> {
  const { kind, naturalKey = "", create } = definition;
  if (typeof create === "function") return create(context, inputs);
  const { own } = create;
  const key = declared[naturalKey];
  const name = typeof key === "string" ? key : "";
  const what = name === "" ? kind : `${kind} "${name}"`;
  const ownKey = own === undefined ? "" : own.of(urnOfResource(context, declared), inputs);
  const byName = async () => (await definition.observe?.(context, { name, inputs: declared })) ?? UNSUPPORTED;
  // What has the key before the POST is not what the POST makes.
  const earlier = new Set<string>();
  const isNew = ({ id }: Found<Live>): boolean => !earlier.has(id);
  const observeMade = async () => {
    if (own === undefined) return byName();
    const observeNew = () => own.observe(context, ownKey, inputs, isNew);
    const seen = await observeNew();
    if (seen.state !== "absent" || own.has === undefined) return seen;
    const named = await byName();
    if (named.state !== "found") return seen;
    if (own.has(named.value.live, ownKey) && isNew(named.value)) return named;
    // Another one has the name by now, and the list may be from before ours lost it.
    return observeNew();
  };
  const creation: SingleCreation<Live> = {
    kind,
    what,
    clock: context.clock,
    post: () => offered(definition, what, () => create.post(context, inputs, create.body(inputs, ownKey))),
    find: async () => mapFound(await observeMade(), ({ live: made }) => made),
    differing: (live) => differing(definition, live, declared, create),
    createdAt: (live) => create.createdAt(live),
    own: own && { idOf: (live) => create.idOf(live), isOfInputs: own.isOfInputs === true },
  };
  const finish = (live: Live): Promise<Made<Live>> => complete(create, what, context, declared, inputs, live);
  if (own !== undefined) {
    const there = await own.observe(context, ownKey, inputs, (found) => {
      earlier.add(found.id);
      // A new object that takes the place of one with the same key is another one.
      return own.isOfUse?.(found.live, inputs) !== false && !isBeingReplaced(found);
    });
    if (there.state === "found") {
      if (!isOwn(creation, there.value.live)) throw taken(creation, there.value.live);
      return { ...(await finish(there.value.live)), isFound: true };
    }
  }
  if (create.observeFirst === true) {
    const there = await observeLasting(definition, context, { name, inputs: declared }, true);
    if (there.state === "found") {
      const isLeft = await givesWay(own, context, there.value, inputs, declared, isBeingReplaced);
      if (!isLeft) throw nameTaken(definition, create, what, there.value.live, declared);
    }
  }
  return finish(await createOnce(creation));
}

/** Whether the object of a name leaves it to the new one: it is of the same resource, or about to be deleted by this program. */
async function givesWay<Inputs, Live>(
  own: OwnKey<Inputs, Live> | undefined,
  context: Context,
  holder: Found<Live>,
  inputs: Inputs,
  declared: JsonObject,
  isBeingReplaced: (found: Found<Live>) => boolean,
): Promise<boolean> {
  if (own?.giveWay === undefined) return false;
  const isOurs = own.isMadeBy?.(holder.live, urnOfResource(context, declared)) === true || isBeingReplaced(holder);
  if (isOurs) await own.giveWay(context, holder, inputs);
  return isOurs;
}

/** The row of the resource: the native protocol passes it along, and the SDK's class puts it among the inputs. */
export function urnOfResource({ call }: Context, { __progressUrn: row }: JsonObject): string {
  const urn = call.urn ?? row;
  if (typeof urn === "string") return urn;
  throw new AgentPlatformError("the resource has no URN; create it with this package's class, or through its plugin");
}

/**
 * The object that a create meets: one that is being deleted counts as absent.
 * @param mayWait Where it has the name, its end is waited for, and the name looked up again. A preview does not wait.
 */
export async function observeLasting<Live>(
  definition: Observable<Live>,
  context: Context,
  key: Key,
  mayWait: boolean,
): Promise<Observation<Found<Live>>> {
  const observe = async () => (await definition.observe?.(context, key)) ?? UNSUPPORTED;
  const seen = await observe();
  if (seen.state !== "found" || definition.isBeingDeleted?.(seen.value.live) !== true) return seen;
  if ("id" in key || !mayWait || definition.untilGone === undefined) return ABSENT;
  await definition.untilGone(context, seen.value);
  return observe();
}

/** The error for an object that has the name of a declaration already. */
export const nameTaken = <Inputs, Live>(
  definition: Pick<Observable<Live>, "kind" | "fields" | "toInputs">,
  create: Creation<Inputs, Live>,
  what: string,
  live: Live,
  declared: JsonObject,
): Error =>
  taken(
    {
      kind: definition.kind,
      what,
      differing: (found) => differing(definition, found, declared, create),
      createdAt: (found) => create.createdAt(found),
    },
    live,
  );

/** The inputs in which an object that is there is not the declared one, apart from what is sent after the POST and has not come yet. */
function differing<Inputs, Live>(
  definition: Comparable<Live>,
  live: Live,
  declared: JsonObject,
  { undeclared, completion }: Creation<Inputs, Live>,
): string[] {
  const { shown, changes } = compare(definition, live, declared, undeclared);
  const later: readonly string[] = completion?.inputs ?? [];
  const isToCome = ({ path }: Change): boolean =>
    later.includes(String(path[0])) && (valueAt(shown, path) ?? null) === null;
  return changes.filter((change) => !isToCome(change)).map(({ path }) => showPath(path));
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
  { undocumented }: Pick<Observable<never>, "undocumented">,
  what: string,
  post: () => Promise<T>,
): Promise<T> {
  try {
    return await post();
  } catch (error) {
    throw undocumented.includes("create") && isMissing(error) ? noCreateOffered(what, error) : error;
  }
}
