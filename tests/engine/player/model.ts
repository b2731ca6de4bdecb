import type { JsonObject } from "../../../provider/base/json";
import { CASES, differences, PLAYED, type ObjectType } from "../../conformance/cases";
import type { StateResource } from "../../support/cli-stack";
import type { Touch } from "./by-hand";
import type { Ran } from "./commands";
import { keyOf, type Live, type Platform } from "./platform";
import {
  argsOf,
  argumentOf,
  bodyOf,
  find,
  fresh,
  HANDLES,
  typeOfHandle,
  isOffered,
  nameOf,
  partOf,
  urnOf,
  type Declaration,
  type Handle,
  type Program,
} from "./program";
import {
  bodyOfRow,
  connectionOf,
  keyOfRow,
  objectOf,
  rowOf,
  rowsOf,
  sealedArguments,
  typeOf,
  type Seen,
} from "./state";

export const succeeded = ({ ended }: Pick<Ran, "ended">): boolean => ended.code === 0 && !ended.cut && !ended.hung;
export const isFull = ({ targets }: Ran): boolean => targets === undefined;

/** Where a difference is, and what is there: "source_config.build_command is 3". */
const placeIn = (difference: string): string => (difference.split(" ")[0] ?? "").replace(/\[\d+\].*$/, "");

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
  /** Left on the platform by the user's own wish. */
  readonly left = new Set<string>();
  /** Not in state, but a failed command named it, or was killed before it could. */
  readonly loose = new Map<string, string>();
  /** In state without an object, and no command could have noticed yet. */
  readonly gone = new Map<string, "gone" | "going" | "going, and a refresh has seen it">();
  /** URNs that were imported, and that no `up` of a program has declared since. */
  readonly imported = new Set<string>();
  /** By key: what a hand has written since the stack last looked, as differences from what was there. */
  readonly hands = new Map<string, Set<string>>();
  /** By key: what a hand has written where nobody declares anything. It stays. */
  readonly undeclared = new Map<string, JsonObject[]>();
  /** By key: what failed commands may have sent in whole or in part. */
  readonly attempts = new Map<string, JsonObject[]>();
  /** The last program that an `up` applied whole. */
  applied: Program = [];
  /** Why the next `up` may fail through no fault of the provider's. */
  failedBefore: string | undefined;

  constructor(private readonly platform: Platform) {}

  /** Takes note of what somebody did. */
  wasTouched({ deleted, changed, made, succeeds, undeclared }: Touch, seen: Seen): void {
    if (deleted !== undefined) {
      const now = seen.objects.find((each) => keyOf(each) === keyOf(deleted));
      this.gone.set(keyOf(deleted), now?.isBeingDeleted === true ? "going" : "gone");
      this.foreign.delete(keyOf(deleted));
      this.undeclared.delete(keyOf(deleted));
    }
    // With a deployment goes what its agent kept.
    for (const row of rowsOf(seen))
      if (this.platform.wentWithHost.has(keyOfRow(row))) this.gone.set(keyOfRow(row), "gone");
    for (const key of this.platform.wentWithHost) this.foreign.delete(key);
    if (changed !== undefined) this.wrote(changed);
    if (changed !== undefined && undeclared !== undefined) {
      const key = keyOf(changed[1]);
      this.undeclared.set(key, [...(this.undeclared.get(key) ?? []), undeclared]);
    }
    if (made === undefined) return;
    const key = keyOf(made);
    this.wasForeign.add(key);
    if (deleted !== undefined && key === keyOf(deleted)) {
      // State knows it by a name that its successor has too: it is the same one.
      this.gone.delete(key);
      this.wrote([deleted, made]);
      return;
    }
    this.foreign.set(key, made);
    if (succeeds !== undefined) this.successors.set(key, succeeds);
  }

  private wrote([before, after]: readonly [Live, Live]): void {
    const key = keyOf(after);
    const foreign = this.foreign.get(key);
    if (foreign !== undefined) this.foreign.set(key, after);
    const texts = [
      ...differences(before.body, after.body),
      // A field that was not there before: its place, with its value.
      ...differences(after.body, before.body).map((text) => placeIn(text)),
    ];
    this.hands.set(key, new Set([...(this.hands.get(key) ?? []), ...texts]));
  }

  /** Whether this difference is what a hand has written, and the stack has not seen. */
  private isByHand(key: string, difference: string): boolean {
    const texts = this.hands.get(key);
    const place = placeIn(difference);
    return texts !== undefined && [...texts].some((text) => text === difference || placeIn(text) === place);
  }

  /** Where the object is not as the declaration says, though nothing but the program should have written there. */
  wrongIn(declared: Declaration, object: Live, seen: Seen, live: JsonObject = object.body): string[] {
    const key = keyOf(object);
    const wanted = bodyOf(declared, idsIn(seen, this.applied));
    const ignored = declared.ignores === undefined ? [] : placesOf(declared, declared.ignores);
    const skipped = [...ignored, ...spelledPlaces(declared.type)];
    return differences(wanted, live).filter(
      (text) => !this.isByHand(key, text) && !skipped.some((place) => placeIn(text).startsWith(place)),
    );
  }

  /** Where the row says other than the platform: neither a hand nor a command that failed has written it. */
  untrueIn(row: StateResource, type: ObjectType, object: Live): string[] {
    const key = keyOf(object);
    const sealed = sealedArguments(row).flatMap((name) => Object.keys(PLAYED[type].body({ [name]: {} })));
    const attempts = this.attempts.get(key) ?? [];
    return differences(bodyOfRow(row, type), object.body).filter((text) => {
      const place = placeIn(text);
      if (sealed.length > 0 && place.startsWith("secrets")) return false;
      if (spelledPlaces(type).some((spelled) => place.startsWith(spelled))) return false;
      if (this.isByHand(key, text)) return false;
      return attempts.every((body) => differences(body, object.body).some((other) => placeIn(other) === place));
    });
  }

  /** Takes note of a command, before the promises are judged. In an outage a refresh has seen nothing. */
  wasRun(ran: Ran, program: Program, before: Seen, after: Seen, isBlind: boolean, since: number): void {
    for (const key of this.platform.wentWithHost) this.foreign.delete(key);
    if (ran.isAside) return;
    const effect: Ran = isBlind ? { ...ran, refreshes: undefined } : ran;
    this.noteImports(effect, program, before, after);
    this.takeOver(effect, before, after);
    this.noteLeft(effect, before, after);
    if (succeeded(ran) && ran.applies && isFull(ran)) this.applied = program;
    if (succeeded(ran)) this.wentWell(effect);
    else this.wentWrong(ran, program, before, after);
    this.settleRows(before, after);
    for (const key of [...this.undeclared.keys(), ...this.hands.keys()]) {
      if (after.objects.some((each) => keyOf(each) === key)) continue;
      this.undeclared.delete(key);
      this.hands.delete(key);
    }
    this.noteDeclared(program, after);
    if (succeeded(ran) && ran.applies) this.noteSent(program, after, since);
  }

  private settleRows(before: Seen, after: Seen): void {
    const held = rowsOf(before).map(keyOfRow);
    for (const row of rowsOf(after)) {
      const object = objectOf(after, row);
      const key = keyOfRow(row);
      // A rename by adopt that was cut off leaves two rows of one object, and a target may be one of them.
      if (object === undefined && held.filter((each) => each === key).length > 1) this.gone.set(key, "gone");
      if (object === undefined && this.platform.wentWithHost.has(key)) this.gone.set(key, "gone");
      if (object === undefined) continue;
      this.loose.delete(key);
      this.left.delete(key);
      if (!object.isBeingDeleted) this.gone.delete(key);
    }
    const there = new Set(after.objects.map(keyOf));
    for (const keys of [this.left, this.loose])
      for (const key of [...keys.keys()]) if (!there.has(key)) keys.delete(key);
  }

  /**
   * What an update has sent is no longer a hand's; nor is what is as declared again. Of a deployment's objects and lists nothing is known: a
   * body that has them is laid over what is live (docs/internals/design.md, Creating once).
   */
  private noteSent(program: Program, after: Seen, since: number): void {
    for (const declared of program) {
      const row = rowOf(after, declared);
      const object = row && objectOf(after, row);
      const texts = object && this.hands.get(keyOf(object));
      if (object === undefined || texts === undefined) continue;
      const to = [object.id, object.name].map((name) => `/${encodeURIComponent(name)}`);
      const writes = this.platform.writesSince(since).filter(({ path }) => to.some((end) => path.endsWith(end)));
      const sent = new Set(writes.flatMap(({ fields }) => fields));
      const wanted = bodyOf(declared, idsIn(after, program));
      const wrong = differences(wanted, object.body).map(placeIn);
      const rest = [...texts].filter((text) => {
        const [top = ""] = placeIn(text).split(".");
        const isLaidOver = object.type === "Deployment" && typeof object.body[top] === "object";
        return wrong.includes(placeIn(text)) && (isLaidOver || !sent.has(top));
      });
      this.hands.set(keyOf(object), new Set(rest));
      if (rest.length === 0) this.hands.delete(keyOf(object));
    }
  }

  /** A field that the program declares by now is no longer one that nobody declares. */
  private noteDeclared(program: Program, after: Seen): void {
    for (const declared of program) {
      const row = rowOf(after, declared);
      const key = row && keyOfRow(row);
      const parts = key === undefined ? undefined : this.undeclared.get(key);
      if (key === undefined || parts === undefined) continue;
      const body = bodyOf(declared, () => undefined);
      this.undeclared.set(key, parts.filter((part) => differences(part, body).every((text) => text.endsWith(" is null")) && differences(part, body).length > 0)); // prettier-ignore
    }
  }

  private noteImports(ran: Ran, program: Program, before: Seen, after: Seen): void {
    for (const urn of this.imported) {
      const isAimedAt = ran.targets === undefined || ran.targets.includes(urn) || ran.withDependents === true;
      const isDeclared = (ran.applies ?? ran.runsProgram) && isAimedAt && program.some((each) => urnOf(each) === urn);
      if (isDeclared || before.rows.every((row) => row.urn !== urn)) this.imported.delete(urn);
    }
    if (!succeeded(ran)) return;
    for (const { urn } of rowsOf(after)) if (urn === ran.imports) this.imported.add(urn);
  }

  /** An object in state is ours. So is one that a refresh found in the place of another that was in state before. */
  private takeOver(ran: Ran, before: Seen, after: Seen): void {
    for (const row of rowsOf(after)) if (objectOf(after, row) !== undefined) this.foreign.delete(keyOfRow(row));
    if (!ran.refreshes || !succeeded(ran)) return;
    const was = new Set(rowsOf(before).map(keyOfRow));
    for (const [key, predecessor] of this.successors) if (was.has(predecessor)) this.foreign.delete(key);
  }

  /** What left the state by the user's wish, and stays where it is. */
  private noteLeft(ran: Ran, before: Seen, after: Seen): void {
    const still = new Set(rowsOf(after).map(keyOfRow));
    const leaves = (row: StateResource): boolean =>
      ran.forgets === true || row.retainOnDelete || row["deletedWith"] !== undefined;
    for (const row of rowsOf(before)) {
      const object = objectOf(after, row);
      if (object === undefined || still.has(keyOfRow(row))) continue;
      const isSkipped = this.isDocumented && ran.ended.output.includes(`"${object.name}"`);
      if (!leaves(row) && !isSkipped) continue;
      if (ran.moves !== undefined) {
        this.foreign.set(keyOf(object), object);
        this.wasForeign.add(keyOf(object));
      } else this.left.add(keyOf(object));
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
      this.wasSeen();
    }
    if (!ran.applies || !isFull(ran)) return;
    this.attempts.clear();
    this.failedBefore = undefined;
    for (const [key, why] of this.gone) if (why === "going, and a refresh has seen it") this.gone.delete(key);
  }

  /** A look shows every field but those that no answer has: these stay as a hand wrote them until an update sends them. */
  private wasSeen(): void {
    for (const [key, texts] of this.hands) {
      const hidden = this.hiddenPlaces(key.split(" ")[0] ?? "");
      const rest = [...texts].filter((text) => hidden.some((place) => placeIn(text).startsWith(place)));
      if (rest.length > 0) this.hands.set(key, new Set(rest));
      else this.hands.delete(key);
    }
  }
  private hiddenPlaces(name: string): string[] {
    const handle = HANDLES.find((each) => typeOfHandle(each) === name);
    const fields = handle === undefined ? [] : (PLAYED[typeOfHandle(handle)].hidden ?? []);
    const hidden = fields.flatMap((field) => (handle === undefined ? [] : placesOf(fresh(handle), field)));
    return this.platform.quirks.includes("shows names of secrets only") ? [...hidden, "secrets"] : hidden;
  }

  private wentWrong(ran: Ran, program: Program, before: Seen, after: Seen): void {
    const { applies, destroys, ended, line } = ran;
    if (applies ?? destroys) this.failedBefore = `"${line}" ended with ${ended.cut ? "a kill" : ended.code}`;
    this.failedBefore ??= ended.cut ? "a command was killed" : undefined;
    for (const declared of applies ? program : []) {
      const keys = [before, after].flatMap((seen) => rowOf(seen, declared) ?? []).map(keyOfRow);
      for (const key of new Set(keys)) {
        const body = bodyOf(declared, idsIn(after, program));
        this.attempts.set(key, [...(this.attempts.get(key) ?? []), body]);
      }
    }
    for (const row of rowsOf(after)) {
      const object = objectOf(after, row);
      if (object === undefined || object.isBeingDeleted) this.gone.set(keyOfRow(row), object ? "going" : "gone");
    }
    const inState = new Set(rowsOf(after).map(keyOfRow));
    for (const object of after.objects) {
      const key = keyOf(object);
      if (inState.has(key) || this.foreign.has(key) || this.left.has(key)) continue;
      if (ended.cut) this.loose.set(key, "the command was killed");
      else if (names(ended.output, object)) this.loose.set(key, "the failed command named it");
    }
  }

  /** Why an `up` may fail now; undefined where it has to succeed. */
  disturbance(program: Program, seen: Seen): string | undefined {
    const isTaken = (object: Live): boolean =>
      program.some((each) => each.type === object.type && nameOf(each) === object.name);
    const inTheWay = [...this.foreign.values()].find(isTaken);
    const rows: readonly (readonly [string | undefined | false, string])[] = [
      [this.failedBefore, this.failedBefore ?? ""],
      [inTheWay && "taken", `"${inTheWay?.name ?? ""}" was made by somebody else`],
      [this.imported.size > 0 && "imported", "something was imported"],
      [
        program.some(({ imports }) => imports !== undefined) && "imports",
        "a declaration may not equal what it imports",
      ],
      [
        program.some((each) => adoptsWhatItCannotMake(each, this.applied, seen)) && "adopts",
        "an adoption updates in place",
      ],
      [program.some((each) => isInAnotherRow(each, seen)) && "row", "another row of the stack has the object"],
      [program.some((each) => isForcedWithoutHelp(each, seen)) && "forced", "nothing makes room for a replacement"],
      [this.left.size + this.loose.size > 0 && "left", "an object is not in state"],
      [this.gone.size > 0 && "gone", "an object was deleted by hand"],
      [this.hands.size > 0 && "hands", "something was changed by hand, and not looked at since"],
      [program.some(({ fails }) => fails) && "fails", "a declared image does not build"],
      [program.some(({ check }) => check?.passes === false) && "check", "a check expects what the agent does not show"],
      [seen.objects.some(({ isBeingDeleted }) => isBeingDeleted) && "going", "a deployment is being deleted"],
      [seen.rows.some(({ protect }) => protect) && "protect", "a resource is protected"],
      [this.platform.hasUnfinishedBusiness() && "business", "a revision failed, or is stuck"],
      [
        this.isDocumented && program.some((each) => isReplaced(each, seen)) && "contract",
        "the contract replaces nothing",
      ],
      [
        this.isDocumented && program.some(({ type }) => !isOffered(type)) && "contract",
        "the contract has no such type",
      ],
    ];
    return rows.find(([is]) => is !== undefined && is !== false)?.[1];
  }
}

/** Where the same meaning can have two spellings, of which the platform may have either. */
const spelledPlaces = (type: ObjectType): string[] => {
  const words: Readonly<Record<string, { readonly respelled?: JsonObject }>> = CASES;
  const respelled = words[type]?.respelled;
  const { body, program } = PLAYED[type];
  return respelled === undefined ? [] : differences(body(respelled), body(program)).map(placeIn);
};

/** The ids that a declaration takes from others, by the rows that they have. */
export const idsIn =
  (seen: Pick<Seen, "rows">, program: Program) =>
  (handle: Handle): string | undefined =>
    rowOf(seen, find(program, handle) ?? fresh(handle))?.id;

/** The places in the body that a field is at. */
function placesOf(declared: Declaration, field: string): string[] {
  const argument = argumentOf(declared.type, field);
  const { body } = PLAYED[declared.type];
  const args = argsOf(declared);
  const [before, after] = [
    body(args),
    body({ ...args, [argument]: partOf(declared.type, field, 31)[argument] ?? null }),
  ];
  return differences(after, before).map(placeIn).concat(Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]))); // prettier-ignore
}

/** A new name in Pulumi, whose import left the program before an `up`. */
function isInAnotherRow(declared: Declaration, seen: Seen): boolean {
  const urn = rowOf(seen, declared)?.urn;
  return urn !== undefined && !declared.adopt && ![urnOf(declared), ...declared.aliases].includes(urn);
}

/** A move to another provider replaces without a word to the plugin: only the class, or the option, then has the old object deleted first. */
function isForcedWithoutHelp(declared: Declaration, seen: Seen): boolean {
  const row = rowOf(seen, declared);
  const moves = row !== undefined && connectionOf(row) !== declared.connection;
  const hasHelp = declared.deleteBeforeReplace || (!declared.raw && declared.type !== "SandboxSnapshot");
  return moves && !hasHelp;
}

/** An adoption updates the object in place: it is refused where the declaration has left what no update can change. */
function adoptsWhatItCannotMake(declared: Declaration, applied: Program, seen: Seen): boolean {
  const isHeld = rowOf(seen, declared)?.urn === urnOf(declared);
  const was = find(applied, declared.handle);
  if (!declared.adopt || isHeld || was === undefined) return false;
  const isSnapshot = declared.type === "SandboxSnapshot" || declared.type === "SandboxTemplate";
  return was.fixed !== declared.fixed || was.source !== declared.source || was.named !== declared.named || was.use !== declared.use || isSnapshot; // prettier-ignore
}

function isReplaced(declared: Declaration, seen: Seen): boolean {
  const row = rowOf(seen, declared);
  const type = row && typeOf(row);
  if (row === undefined || type === undefined) return false;
  return (
    differences(
      bodyOf(declared, () => undefined),
      bodyOfRow(row, type),
    ).length > 0
  );
}

/** Whether the messages at the end of a command name the object, by its id or its name in quotes. */
export function names(output: string, { id, name, type }: Live): boolean {
  const messages = output.slice(Math.max(0, output.indexOf("Diagnostics:")));
  return messages.includes(id) || messages.includes(`${type} "${name}"`);
}
