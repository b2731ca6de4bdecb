import { randomBytes } from "node:crypto";

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
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof UnsafeInteger);
}

/** What an object has itself under a name that somebody chose: not what every object inherits, such as `constructor`. */
export const ownValue = <Value>(
  object: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined => (object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined);

/** The text under this name; undefined where there is none, or something else. */
export function textIn(values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The digits of a whole number in an answer that a JavaScript number would round, so that they can be sent back unchanged. */
export class UnsafeInteger {
  constructor(readonly digits: string) {}

  toJSON(): string {
    return this.digits;
  }

  toString(): string {
    return this.digits;
  }
}

/** True for a whole number beyond 2^53, which may have been rounded. */
export const isUnsafe = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);

/** True for the text that stands for an {@link UnsafeInteger} ({@link shownJson}). */
export const isShownInteger = (value: unknown): boolean =>
  typeof value === "string" && /^-?\d{16,} \(a number\)$/.test(value);

/** Marks the digits of an {@link UnsafeInteger} while they are text. Random, so that no other text can contain it. */
const MARK = randomBytes(16).toString("hex");

/** How deep JSON from elsewhere may be nested: recursive code would run out of stack on deeper JSON. */
const DEEPEST = 1000;
/** How many values it may have, each of which takes many times the memory of its text. */
const MOST_VALUES = 1_000_000;

/** Why a JSON text from elsewhere is not parsed: its objects and lists are nested too deep, or it has too many values. Undefined if neither. */
export function excessOf(text: string): string | undefined {
  let [depth, values, inText] = [0, 1, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') inText = !inText;
    else if (inText && character === "\\") at++;
    else if (!inText && (character === "[" || character === "{")) depth++;
    else if (!inText && (character === "]" || character === "}")) depth--;
    else if (!inText && character === ",") values++;
    if (depth > DEEPEST) return `is nested more than ${DEEPEST} levels deep`;
    if (values > MOST_VALUES) return `has more than ${MOST_VALUES} values`;
  }
  return undefined;
}

/** As JSON.parse, but whole numbers that would be rounded become {@link UnsafeInteger}s. Throws SyntaxError, also for what {@link excessOf} names. */
export function parseJson(text: string): unknown {
  const excess = excessOf(text);
  if (excess !== undefined) throw new SyntaxError(`it ${excess}`);
  const value: unknown = JSON.parse(text);
  // Few bodies have so many digits in a row, so most take the fast path.
  if (!/\d{16}/.test(text)) return value;
  return JSON.parse(withMarkedIntegers(text), (_name, each: unknown) =>
    typeof each === "string" && each.startsWith(MARK) ? new UnsafeInteger(each.slice(MARK.length)) : each,
  );
}

const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, "g");

/** As JSON.stringify, with each {@link UnsafeInteger} as it was read. */
export function stringifyJson(value: unknown): string {
  const text = JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name, each: unknown) {
    const { [name]: own } = this;
    return own instanceof UnsafeInteger ? MARK + own.digits : each;
  });
  return text.replace(MARKED, "$1");
}

/** The JSON of an answer, for every use except sending it back: an {@link UnsafeInteger} becomes a text that equals no value that a program can declare. */
export function shownJson(value: unknown): Json | undefined {
  // The digits alone would equal a text with the same digits.
  if (value instanceof UnsafeInteger) return `${value.digits} (a number)`;
  if (Array.isArray(value)) return value.map((each) => shownJson(each) ?? null);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shownJson(each)]));
  return isParsedJson(value) ? value : undefined;
}

/** The JSON of a text as JSON.parse reads it; undefined where it has none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Valid JSON with each whole number that would be rounded replaced by a marked text. */
function withMarkedIntegers(text: string): string {
  const number = /-?\d[\d.eE+-]*/y;
  let [marked, copied] = ["", 0];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') {
      for (at++; text[at] !== '"'; at++) if (text[at] === "\\") at++;
      continue;
    }
    number.lastIndex = at;
    const digits = number.exec(text)?.[0];
    if (digits === undefined) continue;
    if (/^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits))) {
      marked += `${text.slice(copied, at)}"${MARK}${digits}"`;
      copied = at + digits.length;
    }
    at += digits.length - 1;
  }
  return marked + text.slice(copied);
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
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) =>
    sameJson(ownValue(a, key), ownValue(b, key)),
  );
}

/** A text that is the same for values that are the same ({@link sameJson}). */
export const textOfJson = (value: Json | undefined): string =>
  JSON.stringify(value, (_name, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );

/** Whether two lists have the same members, in any order. */
export const sameMembers = (a: Json, b: Json): boolean => sameJson(sorted(a), sorted(b));

const sorted = (list: Json): Json => (Array.isArray(list) ? list.map(textOfJson).sort() : list);

/** A copy without undefined keys at any depth, and without half of an emoji (docs/internals/engine.md, trap 64): the wire format of the engine has neither. */
export function compact(object: JsonObject): JsonObject {
  const kept = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept.map(([key, value]) => [wellFormed(key), compactValue(value)]));
}

const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, "\ufffd");

function compactValue(value: Json | undefined): Json | undefined {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map((element) => compactValue(element) ?? null);
  return isObject(value) ? compact(value) : value;
}

/** A copy without the keys that are null, at any depth: in an answer, null means that a key is not set. */
export function withoutNullKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNullKeys);
  if (!isObject(value)) return value;
  const set = Object.entries(value).flatMap(([key, each]) =>
    each == null ? [] : [[key, withoutNullKeys(each)] as const],
  );
  return Object.fromEntries(set);
}

/** All texts and numbers in a value, as texts. */
export function leavesOf(value: Json | undefined): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** `over` laid over `base`, objects merged key by key, everything else replaced. */
export function merge(base: JsonObject, over: JsonObject): JsonObject {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const below = merged.get(key);
    if (value !== undefined) merged.set(key, isObject(below) && isObject(value) ? merge(below, value) : value);
  }
  return Object.fromEntries(merged);
}
