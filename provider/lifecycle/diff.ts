import { ruleAt, valueAt, type FieldRule, type FieldRules, type Path } from "./fields";
import { hasUnknown, isObject, sameJson, type Json, type JsonObject } from "../base/json";
import type { Contract } from "../base/connection";

/** One declared field that differs. */
export interface Change {
  readonly path: Path;
  readonly rule: FieldRule;
  /** The field was declared before and is not any more. */
  readonly removed: boolean;
}

/**
 * The declared fields in which `after` differs from `before`, by the rules of the definition.
 * `before` may hold more than was declared (outputs): pass only its declared part.
 */
export function changesBetween(rules: FieldRules, before: JsonObject, after: JsonObject): Change[] {
  return walk(rules, [], before, after);
}

function walk(rules: FieldRules, path: Path, before: Json | undefined, after: Json | undefined): Change[] {
  const own = rules[path.join(".")];
  const rule = own ?? ruleAt(rules, path);
  if (rule.control) return [];
  if (after !== undefined && hasUnknownHere(after))
    return [{ path, rule: strictestBelow(rules, path, rule), removed: false }];
  const whole = own?.equal !== undefined || own?.default !== undefined;
  // An absent object is an empty one, so that each field below is judged by its own rule.
  const nested = isObject(before) || isObject(after);
  if (!whole && nested && (before === undefined || isObject(before)) && (after === undefined || isObject(after))) {
    const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
    return [...keys].flatMap((key) => walk(rules, [...path, key], before?.[key], after?.[key]));
  }
  if (same(own ?? {}, before, after)) return [];
  const removed = after === undefined;
  if (removed && rule.onRemove === "relinquish") return [];
  return [{ path, rule, removed }];
}

/** An unknown may turn out to differ in anything that lies below its path: it counts as a change of what matters most there. */
function strictestBelow(rules: FieldRules, path: Path, rule: FieldRule): FieldRule {
  const prefix = `${path.join(".")}.`;
  const below = Object.entries(rules).flatMap(([name, { replaceOn }]) => (name.startsWith(prefix) ? [replaceOn] : []));
  const all = [rule.replaceOn, ...below];
  const replaceOn = all.includes("always") ? "always" : all.find((each) => each !== undefined);
  return replaceOn === undefined ? rule : { ...rule, replaceOn };
}

/** An object with unknowns inside is walked; any other value with an unknown in it counts as unknown as a whole. */
function hasUnknownHere(value: Json): boolean {
  return isObject(value) ? false : hasUnknown(value);
}

function same(rule: FieldRule, before: Json | undefined, after: Json | undefined): boolean {
  const a = before ?? rule.default;
  const b = after ?? rule.default;
  if (a === undefined || b === undefined) return a === b;
  return hasUnknown(b) ? false : rule.equal ? rule.equal(a, b) : sameJson(a, b);
}

/**
 * The declared fields of which an answer says nothing, as changes: whether they are equal is not known. null of such a
 * field can also mean that it was never set.
 * @param showsWriteOnly This answer shows the values of write-only fields: they are compared like any other.
 */
export function hiddenFields(
  rules: FieldRules,
  declared: JsonObject,
  live: JsonObject,
  showsWriteOnly = false,
): Change[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const path = name.split(".");
    const value = valueAt(declared, path);
    const isEmpty = value === undefined || (isObject(value) && Object.keys(value).length === 0);
    const isWriteOnly = rule.writeOnly === true && !(showsWriteOnly && rule.unreadable === undefined);
    const isHidden = isWriteOnly || (rule.unreadable === "when-null" && (valueAt(live, path) ?? null) === null);
    return isHidden && !isEmpty ? [{ path, rule, removed: false }] : [];
  });
}

/**
 * {@link liveView}, and with it the live values of undeclared fields that have a documented default: to leave such a field out is to
 * declare its default, so an adoption sees them as differences.
 */
export function liveViewWithDefaults(rules: FieldRules, declared: JsonObject, live: JsonObject): JsonObject {
  const view = liveView(rules, declared, live);
  const undeclared = Object.entries(rules).filter(([name, rule]) => {
    const path = name.split(".");
    return rule.default !== undefined && !rule.control && (valueAt(declared, path) ?? undefined) === undefined;
  });
  return undeclared.reduce((whole, [name]) => {
    const value = valueAt(live, name.split(".")) ?? undefined;
    return value === undefined ? whole : withValueAt(whole, name.split("."), value);
  }, view);
}

function withValueAt(object: JsonObject, [step = "", ...rest]: readonly string[], value: Json): JsonObject {
  if (rest.length === 0) return { ...object, [step]: value };
  const below = object[step];
  return { ...object, [step]: withValueAt(isObject(below) ? below : {}, rest, value) };
}

/** True where a change cannot be made to the object in place under this contract. */
export function replaces(change: Change, contract: Contract): boolean {
  return change.rule.replaceOn === "always" || change.rule.replaceOn === contract;
}

/**
 * What is live, seen through what is declared: every declared field with its live value, spelled as declared where it means the
 * same; nothing that is not declared (server defaults); unreadable fields as declared; a field that the platform has cleared is gone.
 */
export function liveView(rules: FieldRules, declared: JsonObject, live: JsonObject): JsonObject {
  return viewOfObject(rules, [], declared, live, false);
}

function viewOfObject(
  rules: FieldRules,
  path: Path,
  declared: JsonObject,
  live: JsonObject,
  closed: boolean,
): JsonObject {
  const view: JsonObject = closed ? { ...live } : {};
  for (const [key, value] of Object.entries(declared)) {
    if (value === undefined) continue;
    if (closed && live[key] === undefined) continue;
    view[key] = viewOfField(rules, [...path, key], value, live[key]);
  }
  return view;
}

function viewOfField(rules: FieldRules, path: Path, declared: Json, live: Json | undefined): Json | undefined {
  const own = rules[path.join(".")];
  const rule = own ?? ruleAt(rules, path);
  // A field that an answer leaves out says nothing about it (older versions return fewer): only a value, or null, does.
  if (rule.control || live === undefined || rule.unreadable === "always") return declared;
  if (live === null && rule.unreadable === "when-null") return declared;
  if (isObject(declared) && isObject(live) && own?.equal === undefined) {
    return viewOfObject(rules, path, declared, live, own?.closed ?? false);
  }
  if (same(own ?? {}, declared, live ?? undefined)) return declared;
  return live ?? undefined;
}
