import { compact, isObject, merge, ownValue, sameJson, shownJson, type Json, type JsonObject } from "../../base/json";
import type { Field, Fields, Shape } from "./table";

/** An answer of the platform, as JSON. */
type Answer = Readonly<Record<string, unknown>>;

/** The given inputs, under the platform's names. */
export function toWireNames(fields: Fields, inputs: JsonObject): JsonObject {
  return mapped(fields, (name, wire, { type }) => [wire, renamed(type, inputs[name], toWireNames)]);
}

/** A request with these inputs: under the platform's names, with `extra` laid over them. */
export const toRequest = (fields: Fields, inputs: JsonObject): JsonObject =>
  merge(toWireNames(fields, inputs), isObject(inputs["extra"]) ? inputs["extra"] : {});

/** The fields of `extra` that are new or changed. A field that was removed from the program keeps its value on the platform. */
export function changedExtra(before: Json | undefined, after: Json | undefined): JsonObject {
  const [old, now] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => !sameJson(ownValue(old, name), value)));
}

/** The inputs in an answer, under the SDK's names, without those that no answer shows. */
export function toInputNames(fields: Fields, live: Answer): JsonObject {
  return mapped(fields, (name, wire, { type, notReturned }) =>
    notReturned === "always" ? [name, undefined] : [name, renamed(type, shownJson(live[wire]), toInputNames)],
  );
}

/** The outputs that only the platform fills in; if the answer leaves one out, its default or null. */
export function toComputedNames(fields: Fields, live: Answer): JsonObject {
  const rows = Object.entries(fields).flatMap(([name, field]): [string, Json][] => {
    const wire = wireName(name, field);
    if (!field.computed || field.seenAs !== undefined || wire === undefined) return [];
    return [[name, renamed(field.type, shownJson(live[wire]), toInputNames) ?? field.default ?? null]];
  });
  return Object.fromEntries(rows);
}

type Renaming = (fields: Fields, object: JsonObject) => JsonObject;

function mapped(
  fields: Fields,
  entry: (name: string, wire: string, field: Field) => [string, Json | undefined],
): JsonObject {
  const entries = Object.entries(fields).flatMap(([name, field]) => {
    const wire = wireName(name, field);
    return field.computed || wire === undefined ? [] : [entry(name, wire, field)];
  });
  return compact(Object.fromEntries(entries));
}

/** The platform's name of a field; undefined for a field that is not sent under a name of its own. */
export function wireName(
  name: string,
  { wire, carriedBy, providerOnly }: Pick<Field, "wire" | "carriedBy" | "providerOnly"> = {},
): string | undefined {
  if (wire === false || wire === "*" || carriedBy !== undefined || providerOnly) return undefined;
  return wire ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The value with its objects renamed. A value of another shape is left as it is: an answer may say null. */
function renamed(shape: Shape, value: Json | undefined, rename: Renaming): Json | undefined {
  switch (shape.kind) {
    case "object":
      return isObject(value) ? rename(shape.fields, value) : value;
    case "list":
      return Array.isArray(value) ? value.map((element) => renamed(shape.of, element, rename) ?? null) : value;
    case "nullable":
      return renamed(shape.of, value, rename);
    default:
      return value;
  }
}
