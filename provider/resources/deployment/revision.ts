/**
 * "after <id>": the revision that follows that one, while the platform has not named it. A PATCH can be answered before its revision
 * has a name, and a wait must not mistake the previous revision for the new one.
 */
export const awaitedAfter = (revisionId: string): string => `after ${revisionId}`;

/** The revision before the awaited one; undefined unless the text says so. */
export function supersededBy(text: unknown): string | undefined {
  return typeof text === "string" && text.startsWith("after ") ? text.slice("after ".length) : undefined;
}
