import { redactKnown } from "../base/masker";
import { isObject, type Json, type JsonObject } from "../base/json";

/** A copy without the secrets that this process knows, in all texts and names of fields. */
export function redactJson(value: Json): Json {
  if (typeof value === "string") return redactKnown(value);
  if (Array.isArray(value)) return value.map(redactJson);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [name, each] of Object.entries(value)) {
    if (each !== undefined) copy[redactKnown(name)] = redactJson(each);
  }
  return copy;
}
