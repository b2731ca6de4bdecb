import { compact, hasUnknown, isObject, sameJson, type JsonObject } from "../../base/json";

/**
 * Whether an update keeps the address of a deployment. The platform assigns one, and only a change of the declaration changes it.
 * @param declared All declarations of the deployment that this process has seen: now, and in state. Values may be unknown.
 */
export function keepsAddress(declared: readonly JsonObject[]): boolean {
  const [one, ...others] = declared.map(addressIn);
  return one !== undefined && !hasUnknown(one) && others.every((other) => sameJson(one, other));
}

const addressIn = ({ sourceConfig, extra }: JsonObject): JsonObject =>
  compact({ customUrl: isObject(sourceConfig) ? sourceConfig["customUrl"] : sourceConfig, extra });
