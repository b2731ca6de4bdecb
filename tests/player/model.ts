import { isObject, sameJson, type Json, type JsonObject } from "../../provider/base/json";
import { merged, PLAYED, type ObjectType, type Place } from "../conformance/cases";
import { bodyOf } from "./declarations";

/** A number that JavaScript rounds, as a server here keeps it, and the digits that its answers have in its place. */
export const LARGE = 2 ** 60;
export const DIGITS = "1152921504606846977";

/** The values of a body by their paths. A list of texts is one value; a variable has its own path, "secrets.TOKEN". */
export function leavesOf(body: JsonObject, path = ""): Map<string, string> {
  const leaves = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    const at = path === "" ? name : `${path}.${name}`;
    const inside = Array.isArray(value) ? (name === "secrets" ? variables(value) : entries(value)) : value;
    if (isObject(inside)) for (const [each, leaf] of leavesOf(inside, at)) leaves.set(each, leaf);
    else if (inside !== null && inside !== undefined)
      leaves.set(at, JSON.stringify(inside === LARGE ? `${DIGITS} (a number)` : inside));
  }
  return leaves;
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

const variables = (list: readonly Json[]): JsonObject =>
  Object.fromEntries(list.map((each) => (isObject(each) ? [textOf(each["name"]), each["value"] ?? null] : ["", null])));

/** A list of objects as an object: each may have more than is declared. */
const entries = (list: readonly Json[]): Json =>
  list.some(isObject)
    ? { ...Object.fromEntries(list.map((each, index) => [String(index), each])), length: list.length }
    : [...list];

/** Who wrote a value last, and which stacks know it: their states say so. */
interface Write {
  readonly by: string;
  readonly value: string | undefined;
  readonly knownTo: Set<string>;
  /** The object was made with it. */
  readonly isFirst: boolean;
}

/** An object as the model follows it. */
export interface Followed {
  readonly type: ObjectType;
  /** As a state names it. */
  readonly id: string;
  /** The platform's own id: what is made anew has another. */
  readonly uuid: string;
  readonly tenantId: string;
  /** A stack, or somebody. */
  readonly maker: string;
  name: string;
  /** As `Stored`. */
  body: JsonObject;
  leaves: ReadonlyMap<string, string>;
  readonly writes: Map<string, Write>;
  /** The stacks that have made it, adopted it, or seen it since it was made. */
  readonly knownTo: Set<string>;
  isThere: boolean;
  /** The stacks that know that it is gone. */
  readonly goneTo: Set<string>;
}

/** What somebody did to an object. */
export interface Change {
  readonly what: "made" | "changed" | "removed";
  readonly object: Followed;
  /** The paths that were written, with the write before. */
  readonly written: ReadonlyMap<string, Write | undefined>;
}

export const SOMEBODY = "somebody";

/** What is true: each object, and of each value who wrote it last. It looks at the platform itself, never at an answer. */
export class Model {
  private readonly followed = new Map<string, Followed>();

  constructor(
    private readonly place: Place,
    readonly types: readonly ObjectType[],
  ) {}

  /** All objects that are there. One that is being deleted is as good as gone: nothing can keep it. */
  all(type?: ObjectType, isThere = true): Followed[] {
    const all = [...this.followed.values()];
    return all.filter((each) => each.isThere === isThere && (type === undefined || each.type === type));
  }

  /** Call after each request and each act by hand: what it did. */
  follow(who: string): Change[] {
    return this.types.flatMap((type) => this.followType(who, type));
  }

  private followType(who: string, type: ObjectType): Change[] {
    const changes: Change[] = [];
    const there = new Set<string>();
    for (const { id, uuid, name, tenantId, body, isBeingDeleted } of PLAYED[type].objects(this.place)) {
      if (isBeingDeleted === true) continue;
      const key = `${type} ${uuid}`;
      there.add(key);
      const known = this.followed.get(key);
      // Nearly always, and quicker than to take each apart.
      if (known?.isThere === true && sameJson(known.body, body)) continue;
      const leaves = ownLeaves(type, body);
      if (known?.isThere === true) {
        const written = writtenIn(known, leaves, who);
        if (written.size > 0) changes.push({ what: "changed", object: known, written });
        Object.assign(known, { name, body, leaves });
      } else {
        const base = { type, id, uuid, name, tenantId, body, leaves, maker: who, isThere: true };
        const object: Followed = { ...base, writes: new Map(), knownTo: new Set(), goneTo: new Set() };
        const written = writtenIn({ ...object, leaves: new Map() }, leaves, who);
        this.followed.set(key, object);
        changes.push({ what: "made", object, written });
      }
    }
    for (const [key, object] of this.followed) {
      if (object.type !== type || !object.isThere || there.has(key)) continue;
      object.isThere = false;
      changes.push({ what: "removed", object, written: new Map() });
    }
    return changes;
  }
}

function writtenIn(object: Followed, leaves: ReadonlyMap<string, string>, by: string): Map<string, Write | undefined> {
  const written = new Map<string, Write | undefined>();
  const isFirst = object.leaves.size === 0;
  for (const path of new Set([...object.leaves.keys(), ...leaves.keys()])) {
    const value = leaves.get(path);
    if (object.leaves.get(path) === value) continue;
    written.set(path, object.writes.get(path));
    object.writes.set(path, { by, value, knownTo: new Set(), isFirst });
  }
  return written;
}

/** The stack knows these values now. */
export function know(object: Followed, stack: string, isKnown: (path: string, write: Write) => boolean): void {
  for (const [path, write] of object.writes) if (isKnown(path, write)) write.knownTo.add(stack);
}

/** Whether the value is one that the stack cannot know: it was written since it looked. */
export const isUnseen = (object: Followed, path: string, stack: string): boolean =>
  object.writes.get(path)?.knownTo.has(stack) === false;

/** Worked out once for each type. */
function ofType<T>(worksOut: (type: ObjectType) => T): (type: ObjectType) => T {
  const known = new Map<ObjectType, T>();
  return (type) => {
    const found = known.get(type) ?? worksOut(type);
    known.set(type, found);
    return found;
  };
}

/** What a declaration of a type can say: versions, times and the like are left out, and so is what an answer writes otherwise. */
const pathsOf = ofType((type): ReadonlySet<string> => {
  const fields = Object.fromEntries(Object.keys(PLAYED[type].fields).map((field) => [field, 1]));
  return new Set(leavesOf(bodyOf({ type, name: 1, fixed: 1, fields })).keys());
});

function ownLeaves(type: ObjectType, body: JsonObject): ReadonlyMap<string, string> {
  const paths = pathsOf(type);
  return new Map([...leavesOf(body)].filter(([path]) => paths.has(path) || path.startsWith("secrets.")));
}

/** The paths that no answer shows, on any platform. */
export const hiddenPaths = ofType((type): readonly string[] => {
  const { body, fields, hidden = [], program } = PLAYED[type];
  const before = leavesOf(body(program));
  const after = hidden.flatMap((field) => [...leavesOf(body(merged(program, fields[field]?.(77) ?? {})))]);
  return after.flatMap(([path, value]) => (before.get(path) === value ? [] : [path]));
});
