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
  // At n: whether what was read so far fits the first n signs.
  let places = [true];
  for (const sign of signs) places.push(sign === "**" && places.at(-1) === true);
  for (const letter of path) {
    const next = [false];
    for (const [at, sign] of signs.entries()) {
      const [before = false, here = false] = [places[at], places[at + 1]];
      if (sign === "**") next.push(here || next.at(-1) === true);
      else if (sign === "*") next.push(letter !== "/" && (before || here));
      else next.push(before && letter === sign);
    }
    if (!next.includes(true)) return false;
    places = next;
  }
  return places.at(-1) === true;
}
