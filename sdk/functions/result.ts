import { valuesOf } from "../../provider/functions/values";
import type { ReadObject } from "../../provider/lifecycle/observe/read-object";

/** The values of an object, under the names of its resource class: the base of every result. */
export abstract class ObjectResult {
  /** The id that `X.get` takes. */
  declare readonly id: string;

  /** @internal */
  constructor(found: ReadObject) {
    Object.assign(this, valuesOf(found));
    const { url } = found.details;
    if (typeof url === "string" && URL.canParse(url)) readServers.add(new URL(url).host);
  }
}

/** The servers of the addresses that the functions have read. */
const readServers = new Set<string>();

/** Whether this program has read the address from the platform: then anybody who can change the deployment may have chosen it. */
export const isFromPlatform = (url: string): boolean => URL.canParse(url) && readServers.has(new URL(url).host);
