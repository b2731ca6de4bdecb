import type * as pulumi from "@pulumi/pulumi";
import { valuesOf } from "../../provider/functions/values";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";

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
