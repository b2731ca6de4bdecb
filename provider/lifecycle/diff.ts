import { ruleAt, valueAt, type Contract, type FieldRule, type FieldRules, type Path } from "./fields";
import { hasUnknown, isObject, sameJson, type Json, type JsonObject } from "./json";

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
  if (after !== undefined && hasUnknownHere(after)) return [{ path, rule, removed: false }];
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
 * The declared fields of which an answer says nothing, as changes: nobody can tell whether they are equal. null of such a
 * field can also mean that nobody ever set it.
 */
export function hiddenFields(rules: FieldRules, declared: JsonObject, live: JsonObject): Change[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const path = name.split(".");
    const value = valueAt(declared, path);
    const isEmpty = value === undefined || (isObject(value) && Object.keys(value).length === 0);
    const isHidden = rule.writeOnly || (rule.unreadable === "when-null" && (valueAt(live, path) ?? null) === null);
    return isHidden && !isEmpty ? [{ path, rule, removed: false }] : [];
  });
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
