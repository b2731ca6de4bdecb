import type { StateResource } from "../../support/cli-stack";
import type { Done } from "./by-hand";
import type { Ran } from "./ran";
import {
  connectionInState,
  keyInState,
  keyOf,
  managedInState,
  objectOf,
  slotInState,
  type Observation,
} from "./observation";
import type { PlatformObject } from "./platform";
import { urnOf, type Declared, type World } from "./world";

/** How the command went, as the model sees it. */
export const succeeded = ({ ended }: Ran): boolean => ended.code === 0 && !ended.cut && !ended.hung;
const isFull = ({ targets }: Ran): boolean => targets === undefined;

/**
 * The knowledge that judging needs besides state and platform: what was made by hand, left on purpose, or changed by hand since the
 * last refresh. Keys are those of observation.ts; uuids tell an object from its successor of the same name.
 */
export class Model {
  /** Objects made by hand and not adopted, as they were made. */
  readonly foreign = new Map<string, PlatformObject>();
  /** All objects that were ever made by hand. */
  readonly wasForeign = new Set<string>();
  /** Objects made by hand in the place of one in state: a refresh takes each for the old one. */
  readonly successors = new Map<string, string>();
  /** Left on the platform by the user's own wish. */
  readonly left = new Set<string>();
  /** Not in state, but a failed command named it, or was killed before it could. */
  readonly loose = new Map<string, string>();
  /** In state without an object, and no command could have noticed yet. */
  readonly excused = new Map<string, "gone" | "going" | "going, and a refresh has seen it">();
  /** Changed by hand since the last refresh. */
  readonly touched = new Set<string>();
  /** A failed command may or may not have changed it. */
  readonly unsettled = new Set<string>();
  /** URNs that were imported, and that no `up` of a program has declared since. */
  readonly imported = new Set<string>();
  /** Undeclared fields that were set by hand; a change of other fields keeps them. */
  readonly undeclared = new Map<string, Readonly<Record<string, unknown>>>();
  /** The last program that an `up` applied whole. */
  applied: World = [];
  /** Why the next `up` may fail through no fault of the provider's. */
  failedBefore: string | undefined;

  /** Takes note of a change by hand. */
  wasDone(done: Done, now: Observation): void {
    if (done.deleted !== undefined) {
      const { isBeingDeleted } = now.objects.find(({ uuid }) => uuid === done.deleted?.uuid) ?? {
        isBeingDeleted: false,
      };
      this.excused.set(keyOf(done.deleted), isBeingDeleted ? "going" : "gone");
    }
    if (done.changed !== undefined) this.touched.add(keyOf(done.changed));
    for (const object of [done.deleted, done.changed]) if (object !== undefined) this.foreign.delete(object.uuid);
    if (done.undeclared !== undefined) this.undeclared.set(done.undeclared.uuid, done.undeclared.fields);
    const made = now.objects.find(({ uuid }) => uuid === done.made);
    if (made === undefined) return;
    this.foreign.set(made.uuid, made);
    this.wasForeign.add(made.uuid);
    if (done.deleted === undefined) return;
    if (done.successor) this.successors.set(made.uuid, keyOf(done.deleted));
    // State knows an OAuth provider by a name that its successor has too: it is the same one.
    if (keyOf(made) === keyOf(done.deleted)) {
      this.foreign.delete(made.uuid);
      this.excused.delete(keyOf(made));
      this.touched.add(keyOf(made));
    }
  }

  /** Takes note of a command, before the invariants are judged. In an outage a refresh has seen nothing. */
  wasRun(ran: Ran, world: World, before: Observation, after: Observation, outage: boolean): void {
    this.noteImports(ran, world, before, after);
    this.takeOver(outage ? { ...ran, refreshes: false } : ran, before, after);
    this.forgotten(before, after, ran.forgets === true ? () => true : ({ retainOnDelete }) => retainOnDelete);
    if (succeeded(ran) && ran.applies && isFull(ran)) this.applied = world;
    if (succeeded(ran)) this.wentWell(outage ? { ...ran, refreshes: false } : ran);
    else this.wentWrong(ran, before, after);
    const held = managedInState(before).map(keyInState);
    for (const resource of managedInState(after)) {
      const object = objectOf(after, resource);
      const key = keyInState(resource);
      // A rename by adopt that was cut off leaves two rows of one object, and a target may be one of them.
      if (object === undefined && held.filter((each) => each === key).length > 1) this.excused.set(key, "gone");
      if (object === undefined) continue;
      this.loose.delete(object.uuid);
      this.left.delete(object.uuid);
      if (!object.isBeingDeleted) this.excused.delete(keyInState(resource));
    }
    for (const set of [this.left, this.loose, this.foreign, this.undeclared]) {
      for (const uuid of [...set.keys()]) {
        if (!after.objects.some((object) => object.uuid === uuid) && set !== this.foreign) set.delete(uuid);
      }
    }
  }

  /** Why an `up` may fail now; undefined where it has to succeed. */
  disturbance(world: World, now: Observation): string | undefined {
    const declared = new Set(world.map(({ name }) => name));
    const inTheWay = [...this.foreign.values()].find(({ name }) => declared.has(name));
    if (this.failedBefore !== undefined) return this.failedBefore;
    if (inTheWay !== undefined) return `"${inTheWay.name}" was made by hand`;
    if (this.imported.size > 0) return "something was imported";
    if (world.some(({ imports }) => imports !== undefined)) return "a declaration may not equal what it imports";
    if (world.some((each) => adoptsWhatItCannotMake(each, this.applied, now)))
      return "an object cannot be adopted by another kind of declaration";
    if (world.some((each) => isInAnotherRow(each, now))) return "another row of the stack has the object";
    if (world.some((each) => isForcedWithoutHelp(each, now))) return "nothing makes room for a replacement";
    if (this.left.size + this.loose.size > 0) return "an object is not in state";
    if (this.excused.size + this.touched.size > 0) return "something was done by hand";
    if (world.some(({ agent }) => agent.fails)) return "a declared image does not build";
    if (now.objects.some(({ isBeingDeleted }) => isBeingDeleted)) return "a deployment is being deleted";
    return undefined;
  }

  private noteImports(ran: Ran, world: World, before: Observation, after: Observation): void {
    const { applies, runsProgram, targets, withDependents } = ran;
    for (const urn of this.imported) {
      const isAimedAt = targets === undefined || targets.includes(urn) || withDependents === true;
      const isDeclared =
        (applies || runsProgram === true) && isAimedAt && world.some((declared) => urnOf(declared) === urn);
      if (isDeclared || before.state.every((resource) => resource.urn !== urn)) this.imported.delete(urn);
    }
    if (!succeeded(ran)) return;
    for (const { urn } of managedInState(after)) if (urn === ran.imports) this.imported.add(urn);
  }

  /** An object in state is ours. So is one that a refresh found in the place of another that was in state before. */
  private takeOver(ran: Ran, before: Observation, after: Observation): void {
    for (const resource of managedInState(after)) {
      const object = objectOf(after, resource);
      if (object !== undefined) this.foreign.delete(object.uuid);
    }
    if (!ran.refreshes || !succeeded(ran)) return;
    const was = new Set(managedInState(before).map(keyInState));
    for (const [uuid, predecessor] of this.successors) if (was.has(predecessor)) this.foreign.delete(uuid);
  }

  private forgotten(before: Observation, after: Observation, leaves: (resource: StateResource) => boolean): void {
    const still = new Set(managedInState(after).map(keyInState));
    for (const resource of managedInState(before).filter(leaves)) {
      const object = objectOf(before, resource);
      if (object !== undefined && !still.has(keyInState(resource))) this.left.add(object.uuid);
    }
  }

  private wentWell(ran: Ran): void {
    if (ran.refreshes && isFull(ran)) {
      for (const [key, why] of this.excused) {
        if (why === "gone" || ran.applies || ran.destroys) this.excused.delete(key);
        else this.excused.set(key, "going, and a refresh has seen it");
      }
      // Unsettled resources stay unsettled: a refresh sees only the names of an environment.
      this.touched.clear();
    }
    if (!ran.applies || !isFull(ran)) return;
    this.unsettled.clear();
    this.failedBefore = undefined;
    for (const [key, why] of this.excused) if (why === "going, and a refresh has seen it") this.excused.delete(key);
  }

  private wentWrong(ran: Ran, before: Observation, after: Observation): void {
    this.failedBefore = `"${ran.line}" ended with ${ran.ended.cut ? "a kill" : ran.ended.code}`;
    for (const resource of [...managedInState(before), ...managedInState(after)])
      this.unsettled.add(keyInState(resource));
    for (const resource of managedInState(after)) {
      const object = objectOf(after, resource);
      if (object === undefined || object.isBeingDeleted) {
        this.excused.set(keyInState(resource), object === undefined ? "gone" : "going");
      }
    }
    const inState = new Set(managedInState(after).map(keyInState));
    for (const object of after.objects) {
      if (inState.has(keyOf(object)) || this.foreign.has(object.uuid) || this.left.has(object.uuid)) continue;
      if (ran.ended.cut) this.loose.set(object.uuid, "the command was killed");
      else if (names(ran.ended.output, object)) this.loose.set(object.uuid, "the failed command named it");
    }
  }
}

/** A new name in Pulumi, whose import left the program before an `up`. */
function isInAnotherRow({ slot, pulumiName, aliases, adopt }: Declared, now: Observation): boolean {
  const name = slotInState(now, slot)?.urn.split("::").at(-1);
  return name !== undefined && !adopt && ![pulumiName, ...aliases].includes(name);
}

/** A move to another provider replaces without a word to the plugin: only the class, or the option, then has the old object deleted first. */
function isForcedWithoutHelp({ raw, options, connection, slot }: Declared, now: Observation): boolean {
  const resource = slotInState(now, slot);
  const moves = resource !== undefined && connectionInState(resource) !== connection;
  return raw && moves && !options.includes("deleteBeforeReplace");
}

/** An adoption updates the object in place: it is refused where the declaration has left what no update can change. */
function adoptsWhatItCannotMake(declared: Declared, applied: World, now: Observation): boolean {
  const { adopt, slot, pulumiName, shape, agent } = declared;
  const isHeld = slotInState(now, slot)?.urn.endsWith(`::${pulumiName}`) === true;
  const was = applied.find((each) => each.slot === slot);
  return adopt && !isHeld && was !== undefined && (was.shape !== shape || was.agent.source !== agent.source);
}

/** Whether the messages at the end of a command name the object, by its id or its name in quotes. */
export function names(output: string, { uuid, name, managedType }: PlatformObject): boolean {
  const messages = output.slice(Math.max(0, output.indexOf("Diagnostics:")));
  return messages.includes(uuid) || messages.includes(`${managedType} "${name}"`);
}
