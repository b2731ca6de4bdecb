/** JSON as the engine passes it around: a value that is not known yet is the {@link UNKNOWN} sentinel. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

/** An object of JSON values; an absent and an undefined key mean the same. */
export type JsonObject = { [key: string]: Json | undefined };

/** The engine's stand-in for a value that is not known before `up`, whatever its type (engine protocol). */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** For results of JSON.parse, which returns nothing else. */
export const isParsedJson = (value: unknown): value is Json => value !== undefined;

/** True for an object that is neither an array nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True if the value is unknown, or holds an unknown value anywhere inside. */
export function hasUnknown(value: Json | undefined): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isObject(value) && Object.values(value).some(hasUnknown);
}

/** Equality of JSON values: the order of keys does not matter (it changes on the way to the plugin), but the order of elements does. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, index) => sameJson(element, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => sameJson(a[key], b[key]));
}

/** A text that is the same for values that are the same ({@link sameJson}). */
export const textOfJson = (value: Json | undefined): string =>
  JSON.stringify(value, (_name, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );

/** Whether two lists of texts have the same members, in any order. */
export const sameMembers = (a: Json, b: Json): boolean => sameJson(sorted(a), sorted(b));

const sorted = (texts: Json): Json => (Array.isArray(texts) ? [...texts].sort() : texts);

/** A copy without undefined keys at any depth: the wire format of the engine has no undefined. */
export function compact(object: JsonObject): JsonObject {
  const kept = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept.map(([key, value]) => [key, compactValue(value)]));
}

function compactValue(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((element) => compactValue(element) ?? null);
  return isObject(value) ? compact(value) : value;
}

/** `over` laid over `base`, objects merged key by key, everything else replaced. */
export function merge(base: JsonObject, over: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    if (value !== undefined) merged[key] = isObject(below) && isObject(value) ? merge(below, value) : value;
  }
  return merged;
}
