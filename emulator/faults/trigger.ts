/** Random numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whether a path without query fits the pattern of a fault. It is read once, with all places in the pattern that it may have reached. */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === "*") return true;
  const signs = pattern.match(/\*\*|[^]/gu) ?? [];
  let places = withRests(signs, new Set([0]));
  for (const letter of path) {
    const next = new Set<number>();
    for (const at of places) {
      const sign = signs[at];
      const isStar = sign === "**" || (sign === "*" && letter !== "/");
      if (isStar) next.add(at);
      if (sign === "*" ? isStar : sign === letter) next.add(at + 1);
    }
    if (next.size === 0) return false;
    places = withRests(signs, next);
  }
  return places.has(signs.length);
}

/** Two stars also match nothing, so the next segment may match here. */
function withRests(signs: readonly string[], places: Set<number>): ReadonlySet<number> {
  for (const at of places) if (signs[at] === "**") places.add(at + 1);
  return places;
}
