import type * as pulumi from "@pulumi/pulumi";
import { compact, isObject, type Json, type JsonObject } from "../../provider/base/json";
import type { ReadObject } from "../../provider/reading";

/** The outputs of a resource class, as plain values; a result that `implements` this has every one of them, of the same type. */
export type Shown<Resource, Hidden extends keyof Resource> = {
  readonly [Name in Exclude<keyof Resource, Hidden | keyof pulumi.Resource>]: pulumi.Unwrap<Resource[Name]>;
};

/** What every result is: the values of an object, under the names of its resource class. */
export abstract class ObjectResult {
  /** The id that `X.get` takes. */
  declare readonly id: string;

  /** @internal */
  constructor(found: ReadObject) {
    Object.assign(this, valuesOf(found));
  }
}

/** What a declaration could leave out is left out where the platform has no value; what the platform alone fills in is then null. */
function valuesOf({ id, inputs, outputs }: ReadObject): JsonObject {
  const values: JsonObject = { ...outputs, id };
  for (const [key, value] of Object.entries(inputs)) values[key] = withoutNulls(value);
  return compact(values);
}

function withoutNulls(value: Json | undefined): Json | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map((element) => withoutNulls(element) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutNulls(each)]));
}
