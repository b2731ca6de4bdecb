import { redact } from "../base/masker";
import { isObject, type Json, type JsonObject } from "../base/json";

/** A copy without the secrets, in all texts and names of fields. */
export function redactJson(value: Json, secrets: readonly string[]): Json {
  if (secrets.length === 0) return value;
  if (typeof value === "string") return redact(value, secrets);
  if (Array.isArray(value)) return value.map((each) => redactJson(each, secrets));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [name, each] of Object.entries(value)) {
    if (each !== undefined) copy[redact(name, secrets)] = redactJson(each, secrets);
  }
  return copy;
}
