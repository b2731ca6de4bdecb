import type { JsonObject } from "../../../provider/base/json";
import { differences, PLAYED, type ObjectType } from "../../conformance/cases";
import type { StateResource } from "../../support/cli-stack";
import type { Touch } from "./by-hand";
import type { Ran } from "./commands";
import { keyOf, type Live, type Platform } from "./platform";
import {
  argumentOf,
  bodyOf,
  caseOf,
  changedBy,
  find,
  fresh,
  isOffered,
  isSilentOn,
  nameOf,
  partOf,
  TYPES,
  urnOf,
  type Declaration,
  type Program,
} from "./program";
import {
  bodyOfRow,
  connectionOf,
  heldBy,
  idsIn,
  isSealed,
  keyOfRow,
  objectOf,
  rowOf,
  rowsOf,
  type Seen,
} from "./state";

export const succeeded = ({ ended }: Pick<Ran, "ended">): boolean => ended.code === 0 && !ended.cut && !ended.hung;
export const isFull = ({ targets }: Ran): boolean => targets === undefined;

/** A command, and what was there before and after it. */
export interface Passed {
  readonly ran: Ran;
  readonly program: Program;
  readonly before: Seen;
  readonly after: Seen;
  /** The last request before the command. */
  readonly since: number;
}

/** Where a difference is: "source_config.build_command is 3". */
const placeIn = (difference: string): string => (difference.split(" ")[0] ?? "").replace(/\[\d+\].*$/, "");
const isIn = (places: readonly string[], difference: string): boolean =>
  places.some((place) => placeIn(difference).startsWith(place));

/**
 * What is true besides what state and platform say: who wrote what, and whether the stack has seen it since. Keys are those of
 * platform.ts, of a type and an id. Nothing leaves an object as a whole out: a hand has written single fields.
 */
export class Model {
  /** Objects that others have made and nobody has adopted, as they were made. */
  readonly foreign = new Map<string, Live>();
  readonly wasForeign = new Set<string>();
  /** Objects made by hand in the place of one in state, which a refresh takes for the old one. */
  readonly successors = new Map<string, string>();
  /** Ours, and in no state: by the user's own wish, or a failed command named it, or was killed before it could. */
  readonly loose = new Set<string>();
  /** In state without an object, and no command could have noticed yet. */
  readonly gone = new Map<string, "gone" | "going" | "going, and a refresh has seen it">();
  /** URNs that were imported, and that no `up` of a program has declared since. */
  readonly imported = new Set<string>();
  /** By key: what a hand has written since the stack last looked, as differences from what was there. */
  readonly hands = new Map<string, ReadonlySet<string>>();
  /** By key: what a hand has written where nobody declares anything. It stays. */
  readonly undeclared = new Map<string, readonly JsonObject[]>();
  /** By key: what failed commands may have sent in whole or in part. */
  readonly attempts = new Map<string, readonly JsonObject[]>();
  /** URNs whose rows the engine may drop with another resource: a program declared `deletedWith`. Earlier versions gave it to rows by themselves. */
  goesWith: Set<string> | "any" = new Set();
  /** The last program that an `up` applied whole. */
  applied: Program = [];
  /** Why the next `up` may fail through no fault of the provider's. */
  failedBefore: string | undefined;

  constructor(private readonly platform: Platform) {}

  /** Whether the object may be in no state. */
  isFree(object: Live): boolean {
    return this.foreign.has(keyOf(object)) || this.loose.has(keyOf(object));
  }
  noteForeign(object: Live): void {
    this.foreign.set(keyOf(object), object);
    this.wasForeign.add(keyOf(object));
  }

  /** Takes note of what somebody did. */
  wasTouched({ deleted, changed, made, succeeds, undeclared }: Touch, seen: Seen): void {
    if (deleted !== undefined) {
      const key = keyOf(deleted);
      const isGoing = seen.objects.some((each) => keyOf(each) === key && each.isBeingDeleted);
      this.gone.set(key, isGoing ? "going" : "gone");
      this.foreign.delete(key);
      this.undeclared.delete(key);
    }
    this.loseKept(seen);
    if (changed !== undefined) {
      const key = keyOf(changed[1]);
      this.wrote(...changed);
      if (undeclared !== undefined) this.undeclared.set(key, [...(this.undeclared.get(key) ?? []), undeclared]);
    }
    if (made === undefined) return;
    const key = keyOf(made);
    if (deleted !== undefined && key === keyOf(deleted)) {
      // State knows it by a name that its successor has too: it is the same one.
      this.wasForeign.add(key);
      this.gone.delete(key);
      this.wrote(deleted, made);
      return;
    }
    this.noteForeign(made);
    if (succeeds !== undefined) this.successors.set(key, succeeds);
  }

  /** With a deployment goes what its agent kept. */
  private loseKept(seen: Seen): void {
    for (const key of this.platform.wentWithHost) this.foreign.delete(key);
    for (const row of rowsOf(seen)) {
      const isGone = this.platform.wentWithHost.has(keyOfRow(row)) && objectOf(seen, row) === undefined;
      if (isGone) this.gone.set(keyOfRow(row), "gone");
    }
  }

  private wrote(before: Live, after: Live): void {
    const key = keyOf(after);
    if (this.foreign.has(key)) this.foreign.set(key, after);
    // Of a field that was not there before, the place alone.
    const added = differences(after.body, before.body).map(placeIn);
    this.hands.set(key, new Set([...(this.hands.get(key) ?? []), ...differences(before.body, after.body), ...added]));
  }

  /** Whether this difference is what a hand has written, and the stack has not seen. */
  private isByHand(key: string, difference: string): boolean {
    return [...(this.hands.get(key) ?? [])].some((text) => placeIn(text) === placeIn(difference));
  }

  /** Where the object is not as the declaration says, though nothing but the program should have written there. */
  wrongIn(declared: Declaration, object: Live, seen: Seen, live: JsonObject = object.body): string[] {
    const ignored = declared.ignores === undefined ? [] : placesOf(declared, declared.ignores);
    const skipped = [...ignored, ...spelledPlaces(declared.type)];
    return differences(bodyOf(declared, idsIn(seen)), live).filter(
      (text) => !this.isByHand(keyOf(object), text) && !isIn(skipped, text),
    );
  }

  /** Where the row says other than the platform: neither a hand nor a command that failed has written it. */
  untrueIn(row: StateResource, object: Live): string[] {
    const [key, { type }] = [keyOf(object), object];
    const skipped = [...(isSealed(row.inputs) ? ["secrets"] : []), ...spelledPlaces(type)];
    const attempts = this.attempts.get(key) ?? [];
    return differences(bodyOfRow(row, type), object.body).filter(
      (text) =>
        !isIn(skipped, text) &&
        !this.isByHand(key, text) &&
        attempts.every((body) => differences(body, object.body).some((other) => placeIn(other) === placeIn(text))),
    );
  }

  /** Takes note of a command, before the promises are judged. @param isBlind There was an outage: a refresh has seen nothing. */
  wasRun(passed: Passed, isBlind: boolean): void {
    const { ran, program, after } = passed;
    if (!ran.isAside) {
      const effect = isBlind ? { ...passed, ran: { ...ran, refreshes: undefined } } : passed;
      this.noteImports(passed);
      this.takeOver(effect);
      this.noteLeft(passed);
      if (succeeded(ran) && ran.applies && isFull(ran)) this.applied = program;
      if (succeeded(ran)) this.wentWell(effect.ran);
      else this.wentWrong(passed);
      this.settleRows(passed);
      this.noteDeclared(program, after);
      if (succeeded(ran) && ran.applies) this.noteSent(passed);
    }
    this.loseKept(after);
  }

  private settleRows({ before, after }: Passed): void {
    const held = rowsOf(before).map(keyOfRow);
    for (const row of rowsOf(after)) {
      const [object, key] = [objectOf(after, row), keyOfRow(row)];
      // A rename by adopt that was cut off leaves two rows of one object, and a target may be one of them.
      if (object === undefined && held.filter((each) => each === key).length > 1) this.gone.set(key, "gone");
      if (object !== undefined && !row.pendingReplacement) this.loose.delete(key);
      if (object !== undefined && !object.isBeingDeleted) this.gone.delete(key);
    }
    const there = new Set(after.objects.map(keyOf));
    for (const keys of [this.loose, this.undeclared, this.hands])
      for (const key of [...keys.keys()]) if (!there.has(key)) keys.delete(key);
  }

  /**
   * What an update has sent is no longer a hand's; nor is what is as declared again. Of a deployment's objects and lists nothing is known: a
   * body that has them is laid over what is live (docs/internals/design.md, Creating once).
   */
  private noteSent({ program, after, since }: Passed): void {
    for (const declared of program) {
      const object = heldBy(after, declared);
      const texts = object && this.hands.get(keyOf(object));
      if (object === undefined || texts === undefined) continue;
      const to = [object.id, object.name].map((name) => `/${encodeURIComponent(name)}`);
      const writes = this.platform.writesSince(since).filter(({ path }) => to.some((end) => path.endsWith(end)));
      const sent = new Set(writes.flatMap(({ fields }) => fields));
      const wrong = differences(bodyOf(declared, idsIn(after)), object.body).map(placeIn);
      this.keepHands(keyOf(object), (text) => {
        const [top = ""] = placeIn(text).split(".");
        const isLaidOver = object.type === "Deployment" && typeof object.body[top] === "object";
        return wrong.includes(placeIn(text)) && (isLaidOver || !sent.has(top));
      });
    }
  }
  private keepHands(key: string, stays: (text: string) => boolean): void {
    const rest = [...(this.hands.get(key) ?? [])].filter(stays);
    if (rest.length > 0) this.hands.set(key, new Set(rest));
    else this.hands.delete(key);
  }

  /** A field that the program declares by now is no longer one that nobody declares. */
  private noteDeclared(program: Program, after: Seen): void {
    for (const declared of program) {
      const row = rowOf(after, declared);
      const parts = row && this.undeclared.get(keyOfRow(row));
      if (row === undefined || parts === undefined) continue;
      const body = bodyOf(declared);
      const rest = parts.filter((part) => isSilentOn(body, part) && differences(part, body).length > 0);
      this.undeclared.set(keyOfRow(row), rest);
    }
  }

  private noteImports({ ran, program, before, after }: Passed): void {
    for (const urn of this.imported) {
      const isAimedAt = ran.targets === undefined || ran.targets.includes(urn) || ran.withDependents === true;
      const isDeclared = (ran.applies ?? ran.runsProgram) && isAimedAt && program.some((each) => urnOf(each) === urn);
      if (isDeclared || before.rows.every((row) => row.urn !== urn)) this.imported.delete(urn);
    }
    if (!succeeded(ran)) return;
    for (const { urn } of rowsOf(after)) if (urn === ran.imports) this.imported.add(urn);
  }

  /** An object in state is ours. So is one that a refresh found in the place of another that was in state before. */
  private takeOver({ ran, before, after }: Passed): void {
    for (const row of rowsOf(after)) if (objectOf(after, row) !== undefined) this.foreign.delete(keyOfRow(row));
    if (!ran.refreshes || !succeeded(ran)) return;
    const was = new Set(rowsOf(before).map(keyOfRow));
    for (const [key, predecessor] of this.successors) if (was.has(predecessor)) this.foreign.delete(key);
  }

  /** What left the state by the user's wish, and stays where it is. */
  private noteLeft({ ran, program, before, after }: Passed): void {
    const { goesWith } = this;
    for (const each of program) if (goesWith !== "any" && each.deletedWith !== undefined) goesWith.add(urnOf(each));
    // A row whose replacement has begun holds nothing any more.
    const still = new Set(rowsOf(after).flatMap((row) => (row.pendingReplacement ? [] : keyOfRow(row))));
    for (const row of rowsOf(before)) {
      const object = objectOf(after, row);
      if (object === undefined || still.has(keyOfRow(row))) continue;
      const isDropped = row["deletedWith"] !== undefined && (goesWith === "any" || goesWith.has(row.urn));
      const isLeft = ran.forgets === true || row.retainOnDelete || isDropped;
      const isSkipped = this.isDocumented && ran.ended.output.includes(`"${object.name}"`);
      if (ran.moves !== undefined) this.noteForeign(object);
      else if (isLeft || isSkipped) this.loose.add(keyOf(object));
    }
  }
  private get isDocumented(): boolean {
    return this.platform.quirks.includes("offers what is documented");
  }

  private wentWell(ran: Ran): void {
    if (ran.refreshes && isFull(ran)) {
      for (const [key, why] of this.gone) {
        if (why === "gone" || ran.applies || ran.destroys) this.gone.delete(key);
        else this.gone.set(key, "going, and a refresh has seen it");
      }
      // A look shows every field but those that no answer has: these stay as a hand wrote them until an update sends them.
      for (const key of this.hands.keys()) {
        const hidden = this.hiddenPlaces(key.split(" ")[0] ?? "");
        this.keepHands(key, (text) => isIn(hidden, text));
      }
    }
    if (!ran.applies || !isFull(ran)) return;
    this.attempts.clear();
    this.failedBefore = undefined;
    for (const [key, why] of this.gone) if (why === "going, and a refresh has seen it") this.gone.delete(key);
  }
  private hiddenPlaces(name: string): string[] {
    const type = TYPES.find((each) => each === name);
    const hidden = type ? (PLAYED[type].hidden ?? []).flatMap((field) => placesOf(fresh(`${type}1`), field)) : [];
    return this.platform.quirks.includes("shows names of secrets only") ? [...hidden, "secrets"] : hidden;
  }

  private wentWrong({ ran, program, before, after }: Passed): void {
    const { applies, destroys, ended, line } = ran;
    if (applies ?? destroys) this.failedBefore = `"${line}" ended with ${ended.cut ? "a kill" : ended.code}`;
    this.failedBefore ??= ended.cut ? "a command was killed" : undefined;
    for (const declared of applies ? program : []) {
      const keys = [before, after].flatMap((seen) => rowOf(seen, declared) ?? []).map(keyOfRow);
      for (const key of new Set(keys))
        this.attempts.set(key, [...(this.attempts.get(key) ?? []), bodyOf(declared, idsIn(after))]);
    }
    for (const row of rowsOf(after)) {
      const object = objectOf(after, row);
      if (object === undefined || object.isBeingDeleted) this.gone.set(keyOfRow(row), object ? "going" : "gone");
    }
    const inState = new Set(rowsOf(after).map(keyOfRow));
    for (const object of after.objects) {
      const isLoose = !inState.has(keyOf(object)) && !this.isFree(object);
      if (isLoose && (ended.cut || names(ended.output, object))) this.loose.add(keyOf(object));
    }
  }

  /** Why an `up` may fail now; undefined where it has to succeed. */
  disturbance(program: Program, seen: Seen): string | undefined {
    const inTheWay = [...this.foreign.values()].find((object) =>
      program.some((each) => each.type === object.type && nameOf(each) === object.name),
    );
    const any = (is: (declared: Declaration) => unknown): boolean => program.some(is);
    const rows: readonly (readonly [is: unknown, why: string])[] = [
      [this.failedBefore, this.failedBefore ?? ""],
      [inTheWay, `"${inTheWay?.name ?? ""}" was made by somebody else`],
      [this.imported.size, "something was imported"],
      [any(({ imports }) => imports), "a declaration may not equal what it imports"],
      [any((each) => adoptsWhatItCannotMake(each, this.applied, seen)), "an adoption updates in place"],
      [any((each) => isInAnotherRow(each, seen)), "another row of the stack has the object"],
      [any((each) => isForcedWithoutHelp(each, seen)), "nothing makes room for a replacement"],
      [this.loose.size, "an object is not in state"],
      [this.gone.size, "an object was deleted by hand"],
      [this.hands.size, "something was changed by hand, and not looked at since"],
      [any(({ fails }) => fails), "a declared image does not build"],
      [any(({ check }) => check?.passes === false), "a check expects what the agent does not show"],
      [seen.objects.some(({ isBeingDeleted }) => isBeingDeleted), "a deployment is being deleted"],
      [seen.rows.some(({ protect }) => protect), "a resource is protected"],
      [this.platform.hasUnfinishedBusiness(), "a revision failed, or is stuck"],
      [this.isDocumented && any((each) => isReplaced(each, seen)), "the contract replaces nothing"],
      [this.isDocumented && any(({ type }) => !isOffered(type)), "the contract has no such type"],
    ];
    return rows.find(([is]) => Boolean(is))?.[1];
  }
}

/** Where the same meaning can have two spellings, of which the platform may have either. */
function spelledPlaces(type: ObjectType): string[] {
  const respelled = caseOf(type)?.respelled;
  const { body, program } = PLAYED[type];
  return respelled === undefined ? [] : differences(body(respelled), body(program)).map(placeIn);
}

/** The places in the body that the argument of a field is at. */
function placesOf(declared: Declaration, field: string): string[] {
  const argument = argumentOf(declared.type, field);
  return Object.keys(changedBy(declared, { [argument]: partOf(declared.type, field, 31)[argument] ?? null }));
}

/** A new name in Pulumi, whose import left the program before an `up`. */
function isInAnotherRow(declared: Declaration, seen: Seen): boolean {
  const urn = rowOf(seen, declared)?.urn;
  return urn !== undefined && !declared.adopt && ![urnOf(declared), ...declared.aliases].includes(urn);
}

/** A move to another provider replaces without a word to the plugin: only the class, or the option, then has the old object deleted first. */
function isForcedWithoutHelp(declared: Declaration, seen: Seen): boolean {
  const row = rowOf(seen, declared);
  const hasHelp = declared.deleteBeforeReplace || (!declared.raw && declared.type !== "SandboxSnapshot");
  return row !== undefined && connectionOf(row) !== declared.connection && !hasHelp;
}

/** An adoption updates the object in place: it is refused where the declaration has left what no update can change. */
function adoptsWhatItCannotMake(declared: Declaration, applied: Program, seen: Seen): boolean {
  const was = find(applied, declared.handle);
  if (!declared.adopt || rowOf(seen, declared)?.urn === urnOf(declared) || was === undefined) return false;
  const changesInPlace = declared.type !== "SandboxSnapshot" && declared.type !== "SandboxTemplate";
  return !changesInPlace || (["fixed", "source", "named", "use"] as const).some((name) => was[name] !== declared[name]);
}

function isReplaced(declared: Declaration, seen: Seen): boolean {
  const row = rowOf(seen, declared);
  return row !== undefined && differences(bodyOf(declared), bodyOfRow(row, declared.type)).length > 0;
}

/** Whether the messages at the end of a command name the object, by its id or its name in quotes. */
export function names(output: string, { id, name, type }: Live): boolean {
  const messages = output.slice(Math.max(0, output.indexOf("Diagnostics:")));
  return messages.includes(id) || messages.includes(`${type} "${name}"`);
}
