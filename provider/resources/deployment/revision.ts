import type { JsonObject } from "../../base/json";

/**
 * "after <id>": the revision that follows that one, until the platform names it. A PATCH can be answered before its revision has an id,
 * and a wait must not mistake the previous revision for the new one.
 */
export const awaitedAfter = (revisionId: string): string => `after ${revisionId}`;

/** The id in "after <id>"; undefined for any other text. */
export function supersededBy(text: unknown): string | undefined {
  return typeof text === "string" && text.startsWith("after ") ? text.slice("after ".length) : undefined;
}

/**
 * The last revision that this program created or adopted, if the latest one may be somebody else's; undefined if the latest one is the program's own. For an
 * awaited revision it may be: another one, such as that of a check that went back, can have come after it. States of 0.2.0 record only the latest one.
 */
export function ownBefore(
  latest: string | null,
  { __ownRevisionId, latestRevisionId }: JsonObject,
): string | undefined {
  const own = __ownRevisionId ?? latestRevisionId;
  return typeof own !== "string" || own === latest ? undefined : own;
}
