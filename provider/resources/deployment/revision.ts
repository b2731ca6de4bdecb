import type { JsonObject } from "../../base/json";

/**
 * "after <id>": the revision that follows that one, while the platform has not named it. A PATCH can be answered before its revision
 * has a name, and a wait must not mistake the previous revision for the new one.
 */
export const awaitedAfter = (revisionId: string): string => `after ${revisionId}`;

/** The revision before the awaited one; undefined unless the text says so. */
export function supersededBy(text: unknown): string | undefined {
  return typeof text === "string" && text.startsWith("after ") ? text.slice("after ".length) : undefined;
}

/**
 * The last revision that this program made or adopted, where the latest one is somebody else's; undefined where the latest one is its own. An awaited
 * revision that got its name counts as its own. States of 0.2.0 name no other one than their latest.
 */
export function ownBefore(
  latest: string | null,
  { __ownRevisionId, latestRevisionId }: JsonObject,
): string | undefined {
  const own = __ownRevisionId ?? latestRevisionId;
  return typeof own !== "string" || own === latest || supersededBy(own) !== undefined ? undefined : own;
}
