import { compact, hasUnknown, isObject, sameJson, type JsonObject } from "../../base/json";

/**
 * Whether an update leaves a deployment at its address. The platform gives it one, and nothing but its declaration moves it.
 * @param declared All that this process has seen declared of it: now, and in state. Values may be unknown.
 */
export function keepsAddress(declared: readonly JsonObject[]): boolean {
  const [one, ...others] = declared.map(addressIn);
  return one !== undefined && !hasUnknown(one) && others.every((other) => sameJson(one, other));
}

const addressIn = ({ sourceConfig, extra }: JsonObject): JsonObject =>
  compact({ customUrl: isObject(sourceConfig) ? sourceConfig["customUrl"] : sourceConfig, extra });
