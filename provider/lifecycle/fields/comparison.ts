import { compact, isObject, merge, ownValue, type Json, type JsonObject } from "../../base/json";
import { changesBetween, sameField, type Change } from "./diff";
import { ruleAt, showPath, valueAt, type FieldRules, type Path } from "./fields";
import { isWriteOnly, type Table } from "./table";

/**
 * Which undeclared live values count as differences. `ignored`: none, they belong to the platform. `defaults`: fields with a documented
 * default, since leaving such a field out declares its default. `all`: every field.
 */
export type Undeclared = "ignored" | "defaults" | "all";

interface Comparable<Live> {
  readonly table: Table;
  toInputs(live: Live, outputs: JsonObject): JsonObject;
  /** True if this answer shows the `values` that most platforms hide: they are compared like any other. @default false */
  showsValues?(live: Live): boolean;
}

export interface Compared {
  /** The live object in the vocabulary of the inputs. */
  readonly shown: JsonObject;
  /** The live object, seen through the declaration ({@link liveView}), with the undeclared values that count. */
  readonly view: JsonObject;
  readonly changes: readonly Change[];
  /** The declared fields whose live values the answer does not show ({@link hiddenFields}). */
  readonly hidden: readonly Change[];
}

/** Compares a live object with its declaration. No other code does. */
export function compare<Live>(
  definition: Comparable<Live>,
  live: Live,
  declared: JsonObject,
  undeclared: Undeclared,
): Compared {
  const { fieldRules } = definition.table;
  const shown = compact(definition.toInputs(live, declared));
  const view = withUndeclared(fieldRules, declared, shown, undeclared);
  const hidden = hiddenFields(fieldRules, declared, shown, definition.showsValues?.(live));
  return { shown, view, changes: changesBetween(fieldRules, view, declared), hidden };
}

function withUndeclared(
  fields: FieldRules,
  declared: JsonObject,
  live: JsonObject,
  undeclared: Undeclared,
): JsonObject {
  const view = liveView(fields, declared, live);
  if (undeclared === "ignored") return view;
  if (undeclared === "all") return merge(live, view);
  return Object.entries(fields).reduce((whole, [name, rule]) => {
    const path = name.split(".");
    const value = valueAt(live, path) ?? undefined;
    const counts = rule.default !== undefined && !rule.providerOnly && (valueAt(declared, path) ?? null) === null;
    return counts && value !== undefined ? withValueAt(whole, path, value) : whole;
  }, view);
}

export function withValueAt(
  object: JsonObject,
  [step = "", ...rest]: readonly string[],
  value: Json | undefined,
): JsonObject {
  if (rest.length === 0) return { ...object, [step]: value };
  const below = ownValue(object, step);
  return { ...object, [step]: withValueAt(isObject(below) ? below : {}, rest, value) };
}

/**
 * The live object, seen through the declaration: every declared field with its live value, spelled as declared if it means the
 * same; nothing undeclared (server defaults); unreadable fields as declared; a field that the platform has cleared is gone.
 */
export function liveView(
  rules: FieldRules,
  declared: JsonObject,
  live: JsonObject,
  path: Path = [],
  closed = false,
): JsonObject {
  const view = new Map(closed ? Object.entries(live) : []);
  for (const [key, value] of Object.entries(declared)) {
    const there = ownValue(live, key);
    if (value === undefined || (closed && there === undefined)) continue;
    view.set(key, viewOfField(rules, [...path, key], value, there));
  }
  return Object.fromEntries(view);
}

function viewOfField(rules: FieldRules, path: Path, declared: Json, live: Json | undefined): Json | undefined {
  const own = ownValue(rules, path.join("."));
  const rule = own ?? ruleAt(rules, path);
  // A field that an answer leaves out says nothing about it (older versions return fewer): only a value, or null, does.
  if (rule.providerOnly || live === undefined || rule.notReturned === "always") return declared;
  if (live === null && (rule.notReturned === "when-null" || hasNothing(declared))) return declared;
  if (isObject(declared) && isObject(live) && own?.equal === undefined) {
    return liveView(rules, declared, live, path, own?.authoritative);
  }
  if (sameField(own ?? {}, declared, live ?? undefined)) return declared;
  return live ?? undefined;
}

/** True for an empty list or object, for which an answer may have null. */
const hasNothing = (value: Json): boolean =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;

/** These changes, and those of the others that are at other paths. */
export function withOthers(changes: readonly Change[], others: readonly Change[]): Change[] {
  const known = new Set(changes.map(({ path }) => showPath(path)));
  return [...changes, ...others.filter(({ path }) => !known.has(showPath(path)))];
}

/**
 * The declared fields whose values an answer does not show, as changes, because it is not known whether they are equal. A null in such a
 * field can also mean that it was never set.
 * @param showsValues As in {@link Comparable}.
 */
export function hiddenFields(rules: FieldRules, declared: JsonObject, live: JsonObject, showsValues = false): Change[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const path = name.split(".");
    const value = valueAt(declared, path);
    const isEmpty = value === undefined || (isObject(value) && Object.keys(value).length === 0);
    const isUnset = rule.notReturned === "when-null" && (valueAt(live, path) ?? null) === null;
    const isHidden = isUnset || (isWriteOnly(rule) && !(showsValues && rule.notReturned === "values"));
    return isHidden && !isEmpty ? [{ path, rule, removed: false }] : [];
  });
}
