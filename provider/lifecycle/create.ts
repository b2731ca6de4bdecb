import { AgentPlatformError, isConflict, isMissing, isUnclear, messageOf, UnfinishedError } from "../base/errors";
import { compact, isObject, type Json, type JsonObject, textIn } from "../base/json";
import { someOf } from "../base/plain-text";
import { instantOf, showDuration } from "../base/time";
import type { Answer } from "../http/request";
import type { Made, ResourceDefinition, Wanted } from "./definition";
import { compare } from "./fields/comparison";
import { showPath, valueAt } from "./fields/fields";
import { sentAfterCreate, inputRows } from "./fields/table";
import type { Context, Found } from "./observe/context";
import type { Observable } from "./observe/observable";
import { mapFound, requireSupported, type Observation } from "./observe/observation";
import { adopt, fixedIn, keyOfName, observeLasting } from "./adopt";
import { urnIn } from "./state";

// Creates an object at most once (docs/internals/design.md, Creating once).

export interface Creation<Live> {
  /** Sends the POST, once. @param key The resource's own key; empty if the type has none. */
  post(key: string): Promise<Answer<Found<Live>>>;
  /** All objects with the name, or with the key. Unsupported if this platform cannot look them up. @default the object that `observe` finds by name */
  find?(key: string): Promise<Observation<readonly Found<Live>[]>>;
  /**
   * Called before the POST with the object that has the name, on a platform that accepts duplicate names. True if the new object can have the name.
   * @param isYoung The object is so recent that a run that was cut off may have created it.
   * @default the platform refuses a name that is taken, so nothing is looked up
   */
  releaseName?(holder: Found<Live>, isYoung: boolean): Promise<boolean>;
  /** Sends the PATCH with the inputs that the POST does not accept ({@link sentAfterCreate}). */
  complete?(made: Found<Live>): Promise<Live>;
  /** For objects whose names repeat. @default the natural key finds them */
  readonly own?: OwnKey<Live>;
}

/** A key that the POST puts on the object. It is derived from the resource, so only attempts to create the same resource use it. */
export interface OwnKey<Live> {
  /** @param seed Identifies the resource; different for each object that needs a key of its own. */
  of(seed: string): string;
  /** Whether an object from an earlier attempt can be taken over. @default every one can */
  canTakeOver?(live: Live): boolean;
}

/** An object with our key that is younger than this counts as created by a run that was cut off. An older one may be in another state. */
const YOUNG_MS = 15 * 60_000;
/** The most POSTs that one create sends, and PATCHes of an update that must not be repeated blindly. */
export const ATTEMPTS = 3;
/** Pauses before the look-ups that follow a request of unclear outcome: a gateway may give up seconds before the platform commits, and lists lag behind. */
export const PAUSES_MS: readonly number[] = [1000, 2000, 4000];
/** The Date header has no fractions of a second, and the clocks of a platform's servers differ a little. */
const CLOCK_TOLERANCE_MS = 2000;

/**
 * Creates the declared object, at most once: adopts it, takes over an object that a run left when it was cut off, refuses a name that is taken, or sends
 * the POST and then the inputs that the POST does not accept. Throws `UnfinishedError` if only that last step fails.
 */
export async function createObject<Inputs, Live>(
  context: Context,
  wanted: Wanted<Inputs, Live>,
  creation: Creation<Live>,
): Promise<Made<Live>> {
  const adopted = await adopt(context, wanted);
  if (adopted !== undefined) return { ...adopted, origin: "adopted" };
  const attempt = new Attempt(context, wanted, creation);
  const { key, ours } = await attempt.findOurs();
  if (ours !== undefined) return { ...(await attempt.complete(ours)), origin: "cut off" };
  await attempt.refuseTakenName();
  return attempt.complete(await attempt.postOnce(key));
}

class Attempt<Inputs, Live> {
  private readonly began: number;
  private readonly type: ResourceDefinition<Inputs, Live>;

  constructor(
    private readonly context: Context,
    private readonly wanted: Wanted<Inputs, Live>,
    private readonly creation: Creation<Live>,
  ) {
    this.began = context.clock.now();
    this.type = wanted.type;
  }

  /**
   * The key for a new object, and the object that a run that was cut off created with it. Objects with our key that this program replaces, or that
   * another resource holds by now (`aliases`), are left alone: the new object gets the next key. Throws where another key
   * finds no other object.
   */
  async findOurs(): Promise<{ readonly key: string; readonly ours?: Found<Live> }> {
    const { own } = this.creation;
    if (own === undefined) return { key: "" };
    const seed = seedOf(this.context, this.wanted.declared);
    const passed = new Set<string>();
    for (let taken = 0; ; taken++) {
      const key = own.of(taken === 0 ? seed : `${seed}\n${taken}`);
      const seen = await this.find(key);
      if (seen.state !== "found" || seen.value.length === 0) return { key };
      const ours = seen.value.find((each) => this.isOurs(each));
      if (ours !== undefined) return { key, ours: this.takeOver(ours, seen.date) };
      const fresh = seen.value.filter(({ id }) => !passed.has(id) && passed.add(id));
      if (fresh.length === 0) throw sameForEachKey(this.wanted.what, seen.value);
    }
  }

  /** Some platforms accept a name that is taken, so the provider checks it. */
  async refuseTakenName(): Promise<void> {
    const { type, context, creation, wanted } = this;
    if (creation.releaseName === undefined) return;
    const holder = await observeLasting(type, context, keyOfName(type.table, wanted.declared), true);
    // Where names repeat, the POST would take the name away from the object that has it, and a PUT would overwrite that: it must be looked up.
    const { upserts = false } = type.table;
    if ((upserts || creation.own !== undefined) && holder.state === "unsupported" && holder.cause !== undefined) {
      if (upserts && isMissing(holder.cause)) throw notOffered(wanted.what, holder.cause);
      requireSupported(holder, wanted.what);
    }
    if (holder.state !== "found") return;
    const isYoung = ageOf(type, holder.value.live, holder.date) <= YOUNG_MS;
    if (await creation.releaseName(holder.value, isYoung)) return;
    throw nameTaken(type, context, wanted, holder.value);
  }

  /** Sends the POST again only after look-ups have not found an object from the previous one. */
  async postOnce(key: string): Promise<Found<Live>> {
    const { creation, context, type, wanted } = this;
    let unclear: unknown;
    for (let attempt = 1; ; attempt++) {
      try {
        const { data: made } = await creation.post(key);
        if (unclear !== undefined) await this.removeSurplus(key, made);
        return made;
      } catch (error) {
        // If only contract `extended` has the POST, a 404 means that this platform lacks the endpoint.
        if (type.table.undocumented?.includes("create") && isMissing(error)) throw notOffered(wanted.what, error);
        if (!isUnclear(error) && !isConflict(error)) throw error;
        if (isUnclear(error)) unclear = error;
        const there = await this.lookAfter(key, unclear ?? error, unclear === undefined ? [0] : PAUSES_MS);
        if (there !== undefined) return there;
        // The object that had the name may have been one that was being deleted, and is gone by now.
        if (isConflict(error) && attempt > 1) throw notFoundByLook(wanted.what, type.table.kind, error);
        // The pauses were cut short, so the object may still appear.
        if (context.signal?.aborted === true)
          throw unknownOutcome(wanted.what, error, "the run was cancelled before it was looked for long enough");
        if (attempt >= ATTEMPTS) throw notCreated(wanted.what, attempt, error);
      }
    }
  }

  /** Sends the inputs that the POST does not accept. If that fails, the object is kept, and the next `up` sends them. */
  async complete(made: Found<Live>): Promise<Found<Live>> {
    const { type, creation, wanted } = this;
    const missing = sentAfterCreate(type.table).filter((name) => wanted.declared[name] !== undefined);
    if (creation.complete === undefined || missing.length === 0) return made;
    try {
      return { id: made.id, live: await creation.complete(made) };
    } catch (error) {
      throw new UnfinishedError(
        `${wanted.what} (${made.id}) was created, but without its ${missing.join(", ")}: ${messageOf(error)}. Run \`pulumi up\` again, which sends it`,
        made.id,
        unfinishedOutputs(type, made.live, missing),
        { cause: error },
      );
    }
  }

  private isOurs(object: Found<Live>): boolean {
    const isOthers = this.wanted.isBeingReplaced(object) || this.wanted.isHeld(object);
    return !isOthers && this.creation.own?.canTakeOver?.(object.live) !== false;
  }

  /** Throws unless the object equals the declaration and is so recent that no other state can hold it. */
  private takeOver(object: Found<Live>, serverNow: number | undefined): Found<Live> {
    const { type, context, wanted } = this;
    const age = ageOf(type, object.live, serverNow);
    const kept = cannotBeTakenOut(type, object.live, wanted.declared);
    if (age > YOUNG_MS || kept.length > 0 || differing(type, object.live, wanted.declared).length > 0)
      throw this.ownTaken(object, kept);
    wanted.claim(object, wanted.what);
    const when = age < 1000 ? "just now" : `${showDuration(age)} ago`;
    context.log.info(
      `${wanted.what}: ${object.id} was made ${when} by a run of this resource that was cut off, and is taken over`,
      urnIn(wanted.declared, context.call),
    );
    return object;
  }

  private ownTaken({ id, live }: Found<Live>, kept: readonly string[]): AgentPlatformError {
    const { what, declared, type } = this.wanted;
    const is = described(type, live, declared, [...differing(type, live, declared), ...kept]);
    return new AgentPlatformError(
      `${what} already exists on the platform${is}. A run that was cut off may have made it, or another stack or resource has it by now. ` +
        `${ifOthers("give this one another Pulumi name")}; if another resource of this program has it, name that one in the option \`dependsOn\`. ` +
        `Otherwise take it over with \`adopt: ${JSON.stringify(id)}\` on the ${type.table.kind}. ${IF_FORCED}`,
    );
  }

  /** The object, if the POST created it after all; undefined if there is none. Throws if the object that is found was not created by this POST. */
  private async lookAfter(key: string, error: unknown, pauses: readonly number[]): Promise<Found<Live> | undefined> {
    const { clock } = this.context;
    const { type, wanted, creation } = this;
    for (const pause of pauses) {
      if (pause > 0) await clock.sleep(pause, this.context.signal);
      const seen = await this.find(key).catch((failure: unknown) => {
        throw unknownOutcome(wanted.what, error, `the look-up failed: ${messageOf(failure)}`);
      });
      if (seen.state === "unsupported" && isConflict(error)) throw takenUnseen(wanted.what, error);
      if (seen.state === "unsupported")
        throw unknownOutcome(wanted.what, error, seen.cause?.message ?? "this platform cannot look it up");
      const [first] = seen.state === "found" ? seen.value : [];
      if (first === undefined || seen.state !== "found") continue;
      // No object had the key before the POST, so this one comes from it.
      if (creation.own !== undefined && isUnclear(error)) return first;
      const made = isUnclear(error) ? seen.value.find((each) => this.isJustMade(each.live, seen.date)) : undefined;
      if (made !== undefined) return made;
      // Its name alone does not tell the two apart.
      if (isUnclear(error) && wanted.isBeingReplaced(first) && createdAt(type, first.live) === undefined)
        throw unknownOutcome(wanted.what, error, "what has its name may be the new one, or the one that it replaces");
      throw creation.own === undefined ? nameTaken(type, this.context, wanted, first, error) : this.ownTaken(first, []);
    }
    return undefined;
  }

  /** Equal to the declaration, and created after this create began. */
  private isJustMade(live: Live, serverNow: number | undefined): boolean {
    const elapsed = this.context.clock.now() - this.began;
    // If the answers have no creation time, only the look before the POST can tell.
    const isDated = "createdAt" in this.type.table.fields;
    const isNew = !isDated || ageOf(this.type, live, serverNow) <= elapsed + CLOCK_TOLERANCE_MS;
    return isNew && differing(this.type, live, this.wanted.declared).length === 0;
  }

  /**
   * After a second POST: if the first one created an object after all, deletes it if it has our key, otherwise warns of it. Never throws, because the
   * object of the second POST exists.
   */
  private async removeSurplus(key: string, made: Found<Live>): Promise<void> {
    const { type, context, wanted, creation } = this;
    try {
      await context.clock.sleep(PAUSES_MS[1] ?? 0, context.signal);
      const seen = await this.find(key);
      for (const each of seen.state === "found" ? seen.value : []) {
        if (each.id === made.id) continue;
        const isOurs = creation.own !== undefined;
        if (!isOurs && !this.isJustMade(each.live, seen.state === "found" ? seen.date : undefined)) continue;
        if (isOurs)
          await type.delete(context, {
            id: each.id,
            outputs: { ...wanted.declared, ...compact(type.toComputed(each.live, {})) },
          });
        const then = isOurs
          ? "it has been deleted"
          : "no stack holds it: delete it on the platform, unless somebody else made it";
        context.log.warn(
          `${wanted.what}: a request without an answer was carried out after all, and made ${each.id}, too; ${then}.`,
        );
      }
    } catch (error) {
      context.log.warn(
        `${wanted.what}: an earlier request had no answer, and it is not known whether it made a second one (${messageOf(error)}). Look for one on the platform.`,
      );
    }
  }

  private async find(key: string): Promise<Observation<readonly Found<Live>[]>> {
    const { type, context, creation, wanted } = this;
    if (creation.find !== undefined) return creation.find(key);
    return mapFound(await observeLasting(type, context, keyOfName(type.table, wanted.declared), true), (one) => [one]);
  }
}

/** The outputs of an object that was created but not finished. @param missing The inputs that were not sent: null, so that the next `up` calls `update`. */
export function unfinishedOutputs<Live>(
  type: Pick<Observable<Live>, "toComputed">,
  live: Live,
  missing: readonly string[],
): JsonObject {
  const known = Object.entries(compact(type.toComputed(live, {}))).filter(([, value]) => value !== null);
  return Object.fromEntries([...known, ...missing.map((name): [string, Json] => [name, null])]);
}

/**
 * Identifies the resource among those of all stacks: by the stack's own key and the URN if the native plugin has such a key, otherwise by the URN alone,
 * which is not unique across backends.
 */
export function seedOf({ connection: { stackKey }, call }: Context, declared: JsonObject): string {
  const urn = urnIn(declared, call);
  if (urn === undefined)
    throw new AgentPlatformError("the resource has no URN; create it with this package's class, or through its plugin");
  return stackKey === undefined ? urn : `${stackKey}\n${urn}`;
}

const createdAt = <Live>(type: Pick<Observable<Live>, "toComputed">, live: Live): string | undefined =>
  textIn(type.toComputed(live, {}), "createdAt");

/** Milliseconds since its creation, by the platform's clock; infinite if the platform does not give the times. */
function ageOf<Live>(type: Pick<Observable<Live>, "toComputed">, live: Live, serverNow: number | undefined): number {
  const created = instantOf(createdAt(type, live));
  return serverNow === undefined || created === undefined ? Infinity : serverNow - created;
}

/** The inputs in which an existing object differs from the declaration, apart from those that are sent after the POST and are still unset. */
function differing<Live>(type: Observable<Live>, live: Live, declared: JsonObject): string[] {
  const { shown, changes } = compare(type, live, declared, type.table.echoes ? "all" : "ignored");
  const later = sentAfterCreate(type.table);
  return changes
    .filter(({ path }) => !(later.includes(String(path[0])) && (valueAt(shown, path) ?? null) === null))
    .map(({ path }) => showPath(path));
}

/** The values that the object has, the declaration leaves out and no update can remove: a forced replacement may be meant to remove them. */
function cannotBeTakenOut<Live>(type: Observable<Live>, live: Live, declared: JsonObject): string[] {
  const shown = type.toInputs(live, declared);
  return inputRows(type.table.fields).flatMap(([name, { onRemove }]) => {
    const value = shown[name] ?? null;
    const isEmpty = value === null || (isObject(value) && Object.keys(value).length === 0);
    return isObject(onRemove) && declared[name] === undefined && !isEmpty ? [name] : [];
  });
}

export function nameTaken<Live>(
  type: Observable<Live>,
  context: Context,
  { what, declared, isBeingReplaced }: Pick<Wanted<unknown, Live>, "what" | "declared" | "isBeingReplaced">,
  found: Found<Live>,
  cause?: unknown,
): AgentPlatformError {
  const { live } = found;
  if (isBeingReplaced(found)) return new AgentPlatformError(`${what} ${KEPT}`, { cause });
  const is = described(type, live, declared, differing(type, live, declared));
  const fixed = fixedIn(compare(type, live, declared, "defaults"), context, declared);
  const then = remedy(type.table.kind, [...new Set(fixed.map(({ path }) => showPath(path)))]);
  return new AgentPlatformError(`${what} already exists on the platform${is}. ${then}. ${IF_FORCED}`, { cause });
}

function described<Live>(type: Observable<Live>, live: Live, declared: JsonObject, names: readonly string[]): string {
  const since = createdAt(type, live);
  const hidden = compare(type, live, declared, "ignored").hidden.map(({ path }) => showPath(path));
  const unseen = hidden.length === 0 ? "" : ` as far as the platform shows it (an adoption sends ${someOf(hidden)})`;
  const compared = names.length === 0 ? "equals this declaration" : `differs from this declaration in ${someOf(names)}`;
  return `${since === undefined ? "" : ` (created ${since})`} and ${compared}${names.length === 0 ? unseen : ""}`;
}

/** The engine does not say that a creation is half of a forced replacement (docs/internals/engine.md, trap 17). */
export const IF_FORCED =
  "If this is a forced replacement (`--target-replace`, `replacementTrigger`, `replaceWith`, `pulumi state taint`) of that object, set the option `deleteBeforeReplace: true` on the resource";

/** The engine has not deleted the old object before it created the new one. */
const KEPT =
  "already exists on the platform: it is the object that the new one replaces, and `retainOnDelete: true` (or `deleteBeforeReplace: false`) keeps it. Declare " +
  "another name for the new one, or delete the old one on the platform";

const ifOthers = (then: string): string =>
  `If another stack has it (\`npx pulumi-agent-platform inventory\` shows which), ${then}`;

/** @param fixed What no update can make equal. */
const remedy = (kind: string, fixed: readonly string[] = []): string => {
  const adopting = `take it over with \`adopt: true\` on the ${kind}`;
  const otherwise =
    fixed.length === 0
      ? `${adopting}, or delete it on the platform`
      : `delete it on the platform, or ${adopting} and declare its ${someOf(fixed)}, which no update can change, as it is there`;
  return `${ifOthers("declare another name")}. Otherwise ${otherwise}`;
};

const notFoundByLook = (what: string, kind: string, error: unknown): AgentPlatformError =>
  new AgentPlatformError(`${what} already exists, but no look-up finds it: ${messageOf(error)}. ${remedy(kind)}`, {
    cause: error,
  });

/** Does not suggest `adopt`: an object that cannot be looked up cannot be adopted. */
const takenUnseen = (what: string, error: unknown): AgentPlatformError =>
  new AgentPlatformError(
    `${what} already exists on the platform, which cannot look it up (${messageOf(error)}). Give it a new name, or delete the other one there`,
    { cause: error },
  );

const sameForEachKey = (what: string, found: readonly Found<unknown>[]): AgentPlatformError =>
  new AgentPlatformError(
    `${what} was not created: look-ups by different keys show the same object (${someOf(found.map(({ id }) => id))}), so none can tell what this resource has made`,
  );

const notCreated = (what: string, attempts: number, error: unknown): AgentPlatformError =>
  new AgentPlatformError(
    `${what} was not created: ${attempts} attempts failed, the last one with: ${messageOf(error)}`,
    { cause: error },
  );

const unknownOutcome = (what: string, error: unknown, why: string): AgentPlatformError =>
  new AgentPlatformError(
    `${what}: it is not known whether it was created (${messageOf(error)}), and ${why}. ` +
      `Look for it on the platform before the next \`pulumi up\`: if it exists, delete it there or take it over with \`adopt: "<id>"\``,
    { cause: error },
  );

const notOffered = (what: string, error: unknown): AgentPlatformError =>
  new AgentPlatformError(
    `${what} cannot be created: this platform does not support such objects (${messageOf(error)})`,
    { cause: error },
  );
