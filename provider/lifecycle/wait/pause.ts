const SHORTEST_MS = 250;
/** The pause does not grow beyond this, jitter aside. */
const LONGEST_MS = 15_000;

/** The pause as a share of the age: in the last step, and before it. */
const [ENDING, PENDING] = [0.02, 0.03];

/**
 * The milliseconds before the next poll, with jitter: a share of the age, so that the end is noticed with a delay that is a small part of the
 * whole wait, whether it is a success or a failure.
 *
 * @param ageMs The time since the awaited work began.
 * @param isEnding Whether that work is in its last step.
 * @param random A number in [0, 1), to spread the polls of many waits.
 * @param longestMs No pause is longer, jitter aside.
 */
export function pauseAfter(ageMs: number, isEnding: boolean, random: number, longestMs: number = LONGEST_MS): number {
  const share = ageMs * (isEnding ? ENDING : PENDING);
  return Math.round(Math.min(longestMs, Math.max(SHORTEST_MS, share)) * jitterOf(random));
}

const jitterOf = (random: number): number => 0.85 + 0.3 * random;

/** The milliseconds before the first poll of a deletion: it takes seconds at least. */
export const DELETION_FIRST_MS = 1000;
const DELETION_LONGEST_MS = 5000;

/** The milliseconds before the next poll of a deletion, which takes seconds to minutes: a third of the time since the request, from 1 s to 5 s. */
export const pauseOfDeletion = (sinceMs: number, random: number): number =>
  Math.round(Math.min(DELETION_LONGEST_MS, Math.max(DELETION_FIRST_MS, sinceMs / 3)) * jitterOf(random));
