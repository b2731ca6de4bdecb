/** One line of the table: what was measured beside its baseline, in one run. */
export interface Row {
  readonly name: string;
  readonly ours: string;
  readonly baseline: string;
  /** Of medians, or of what the goal speaks of. */
  readonly ratio: number;
  readonly goal: string;
  readonly isMet: boolean;
}

/** A measurement: it takes its own time, and may give several rows. */
export interface Measurement {
  readonly name: string;
  readonly run: () => Promise<Row[]>;
}

/** What a real network adds to each answer. */
export const LATENCY_MS = 50;

/** How often ours and the baseline run in turns. */
export const ROUNDS = 5;

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}

/** @param share 0.95 for the 95th percentile. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (at === undefined) throw new Error("a median of nothing");
  return at;
}

/** Runs both in turns, so that what the machine does besides strikes both. Gives the times of each, in milliseconds. */
export async function inTurns(ours: () => Promise<void>, baseline: () => Promise<void>): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    times[0].push(await timed(ours));
    times[1].push(await timed(baseline));
  }
  return times;
}

async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
