import type { Changes } from "./recorded";

// What a preview by a later version may show otherwise than one by an earlier version, because the changelog names it.

/** States of earlier versions lack the row of some kinds, or have it under another name; with a false followsPushes, it changes with the next change. */
const withoutRow = (change: string): string => change.replace(/ (__progressUrn|progressUrn|followsPushes)\b/g, "");

/** A later version knows at preview that an address stays: what the outputs of the stack are to be then differs. */
const isAddress = (change: string): boolean => /^same urls?$/.test(change);

/** The changes that an earlier version would show, too. */
export function withoutKnown(changes: Changes): Changes {
  const known = Object.entries(changes).filter(([, change]) => !isAddress(change));
  return Object.fromEntries(known.map(([resource, change]) => [resource, withoutRow(change)]));
}
