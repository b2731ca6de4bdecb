/** What the last poll of an awaited object showed. */
export interface Known {
  /** Milliseconds since it began. */
  readonly ageMs: number;
  /** Milliseconds that it took before; undefined if unknown. */
  readonly expectedMs?: number | undefined;
  /** Whether it is in its last step. */
  readonly isEnding?: boolean | undefined;
}

const SHORTEST_MS = 250;
/** How long it usually takes at most until an object is looked at alone, where lists tell most of its news. */
export const LONGEST_MS = 15_000;

/** The pause as a share of the age: far from the end, where a poll is wasted; with no expectation; and near the end. */
const [DISTANT, UNKNOWN, NEAR] = [0.06, 0.035, 0.02];
/** Where the end is expected, as shares of what it took before. */
const [EARLIEST, LATEST] = [0.7, 1.4];

/**
 * The milliseconds before the next look: a share of the age, so that the lag stays a small part of the whole, with jitter.
 * It does not rely on an expectation: a wrong one changes the share, but the lag is still a small part.
 *
 * @param random A number in [0, 1), to spread the looks of many waits.
 * @param longestMs No pause is longer, jitter aside.
 */
export function pauseAfter(
  { ageMs, expectedMs, isEnding = false }: Known,
  random: number,
  longestMs: number = LONGEST_MS,
): number {
  const jitter = jitterOf(random);
  const bounded = (ms: number, shortest = SHORTEST_MS): number =>
    Math.round(Math.min(longestMs, Math.max(SHORTEST_MS, shortest, ms)) * jitter);
  if (isEnding || expectedMs === undefined) return bounded(ageMs * (isEnding ? NEAR : UNKNOWN));
  if (ageMs < expectedMs * EARLIEST) {
    const untilEarliest = Math.max(SHORTEST_MS, expectedMs * EARLIEST - ageMs);
    return Math.min(untilEarliest, bounded(ageMs * DISTANT, expectedMs * 0.005));
  }
  return bounded(ageMs * (ageMs < expectedMs * LATEST ? NEAR : UNKNOWN));
}

const jitterOf = (random: number): number => 0.85 + 0.3 * random;

/** The milliseconds before an object is looked at alone again, where lists tell most of its news: its age, from 2.5 s to 15 s. */
export const pauseAlone = (ageMs: number): number => Math.min(LONGEST_MS, Math.max(2_500, ageMs));

/** The milliseconds before the first look at a deletion: it takes seconds at least. */
export const DELETION_FIRST_MS = 1000;
const DELETION_LONGEST_MS = 5000;

/** The milliseconds before the next look at a deletion, which takes seconds to minutes: a third of the time since it was asked for, from 1 s to 5 s. */
export const pauseOfDeletion = (sinceMs: number, random: number): number =>
  Math.round(Math.min(DELETION_LONGEST_MS, Math.max(DELETION_FIRST_MS, sinceMs / 3)) * jitterOf(random));
