import type { FieldRules } from "../../provider/lifecycle/fields";
import { isObject, sameJson, type Json, type JsonObject } from "../../provider/base/json";

/** The inputs that a declaration needs, without those that are null, empty, hidden by the platform, or equal to their default. */
export function declaredOf(fields: FieldRules, inputs: JsonObject): JsonObject {
  return withoutUndefined(Object.entries(inputs).map(([key, value]) => [key, declaredAt(fields, key, value)]));
}

function declaredAt(fields: FieldRules, path: string, value: Json | undefined): Json | undefined {
  const rule = fields[path] ?? {};
  if (value === null || value === undefined || rule.writeOnly || rule.unreadable === "always") return undefined;
  const { equal = sameJson } = rule;
  if (rule.default !== undefined && equal(value, rule.default)) return undefined;
  if (rule.equal) return shortest(value, (candidate) => equal(candidate, value));
  if (!isObject(value)) return value;
  const below = withoutUndefined(
    Object.entries(value).map(([key, each]) => [key, declaredAt(fields, `${path}.${key}`, each)]),
  );
  return Object.keys(below).length === 0 ? undefined : below;
}

/** The value without the keys, at any depth, that do not affect its equality: the defaults in a proxy rule. */
function shortest(value: Json, isSame: (candidate: Json) => boolean): Json {
  if (Array.isArray(value)) {
    return value.reduce<Json[]>(
      (list, element, index) =>
        list.with(
          index,
          shortest(element, (each) => isSame(list.with(index, each))),
        ),
      value,
    );
  }
  if (!isObject(value)) return value;
  return Object.entries(value).reduce<JsonObject>((object, [key, each]) => {
    const { [key]: _key, ...without } = object;
    if (each === undefined || isSame(without)) return without;
    return { ...object, [key]: shortest(each, (shorter) => isSame({ ...object, [key]: shorter })) };
  }, value);
}

function withoutUndefined(entries: readonly (readonly [string, Json | undefined])[]): JsonObject {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
