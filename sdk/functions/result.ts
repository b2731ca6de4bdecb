import { valuesOf } from "../../provider/functions/values";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";
import { rememberServer } from "./read-servers";

/** The values of an object, under the names of its resource class: the base of every result. */
export abstract class ObjectResult {
  /** The id that `X.get` takes. */
  declare readonly id: string;

  /** @internal */
  constructor(found: ReadObject) {
    Object.assign(this, valuesOf(found));
    rememberServer(found.details);
  }
}
