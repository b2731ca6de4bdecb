import type * as pulumi from "@pulumi/pulumi";
import { compact, isObject, type Json, type JsonObject } from "../../provider/base/json";
import type { ReadObject } from "../../provider/reading";

/** The outputs of a resource class, as plain values; a result that `implements` this has every one of them, of the same type. */
export type Shown<Resource, Hidden extends keyof Resource> = {
  readonly [Name in Exclude<keyof Resource, Hidden | keyof pulumi.Resource>]: pulumi.Unwrap<Resource[Name]>;
};

/** The values of an object, under the names of its resource class: the base of every result. */
export abstract class ObjectResult {
  /** The id that `X.get` takes. */
  declare readonly id: string;

  /** @internal */
  constructor(found: ReadObject) {
    Object.assign(this, valuesOf(found));
  }
}

/** Without a value on the platform, an argument is left out, and a property that only the platform sets is null. */
function valuesOf({ id, inputs, outputs, details }: ReadObject): JsonObject {
  const values: JsonObject = { ...outputs, ...details, id };
  for (const [key, value] of Object.entries(inputs)) values[key] = withoutNulls(value);
  return compact(values);
}

function withoutNulls(value: Json | undefined): Json | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map((element) => withoutNulls(element) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutNulls(each)]));
}
