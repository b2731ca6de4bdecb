import { ruleAt, type FieldRule, type FieldRules, type Path } from "./fields";
import { hasUnknown, isObject, ownValue, sameJson, type Json } from "../../base/json";
import type { Contract } from "../../base/connection";

export interface Change {
  readonly path: Path;
  readonly rule: FieldRule;
  /** The field was declared before and no longer is. */
  readonly removed: boolean;
}

/**
 * The declared fields in which `after` differs from `before`, by the rules of the definition.
 * `before` may hold more than was declared (outputs): pass only its declared part.
 */
export function changesBetween(
  rules: FieldRules,
  before: Json | undefined,
  after: Json | undefined,
  path: Path = [],
): Change[] {
  const own = ownValue(rules, path.join("."));
  const rule = own ?? ruleAt(rules, path);
  if (rule.providerOnly) return [];
  // An object with unknowns inside is walked; any other value with an unknown in it counts as entirely unknown.
  if (!isObject(after) && hasUnknown(after)) return [{ path, rule: strictestBelow(rules, path, rule), removed: false }];
  const whole = own?.equal !== undefined || own?.default !== undefined;
  // An absent object is an empty one, so that each field below is judged by its own rule.
  const nested = isObject(before) || isObject(after);
  if (!whole && nested && (before === undefined || isObject(before)) && (after === undefined || isObject(after))) {
    const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
    return [...keys].flatMap((key) =>
      changesBetween(rules, ownValue(before, key), ownValue(after, key), [...path, key]),
    );
  }
  // If an omitted property is not managed, null is a value.
  const isNull = rule.onRemove === "unmanage" && after === null && before === undefined;
  if (!isNull && sameField(own ?? {}, before, after)) return [];
  const removed = after === undefined;
  if (removed && rule.onRemove === "unmanage") return [];
  return [{ path, rule, removed }];
}

/** An unknown may turn out to differ in anything below its path, so it counts as the most consequential change there. */
function strictestBelow(rules: FieldRules, path: Path, rule: FieldRule): FieldRule {
  const prefix = `${path.join(".")}.`;
  const below = Object.entries(rules).flatMap(([name, { replaceOn }]) => (name.startsWith(prefix) ? [replaceOn] : []));
  const all = [rule.replaceOn, ...below];
  const replaceOn = all.includes("always") ? "always" : all.find((each) => each !== undefined);
  return replaceOn === undefined ? rule : { ...rule, replaceOn };
}

/** Whether two values of a field mean the same, by its rule; an absent one means the default. */
export function sameField(rule: FieldRule, before: Json | undefined, after: Json | undefined): boolean {
  const a = before ?? rule.default;
  const b = after ?? rule.default;
  if (a === undefined || b === undefined) return a === b;
  return hasUnknown(b) ? false : rule.equal ? rule.equal(a, b) : sameJson(a, b);
}

/** True where a change cannot be made to the object in place under this contract. */
export function replaces(change: Change, contract: Contract): boolean {
  return change.rule.replaceOn === "always" || change.rule.replaceOn === contract;
}
