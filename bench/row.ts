/** One line of the table: a figure and its baseline, measured in one run. */
export interface Row extends Verdict {
  readonly name: string;
  readonly ours: string;
  readonly baseline: string;
}

/** A ratio beside its goal. */
interface Verdict {
  /** Of medians, or of the figures that the goal names. */
  readonly ratio: number;
  /** Absent where the row has no goal and is shown for comparison. */
  readonly goal?: string;
  readonly isMet: boolean;
}

/** How a figure grows with the number of resources: milliseconds, ours and the baseline's. */
export interface Curve {
  readonly name: string;
  readonly points: readonly { readonly count: number; readonly ours: number; readonly baseline: number }[];
}

/** A measurement: it takes its own time, and may give several rows. */
export interface Measurement {
  readonly name: string;
  /** What it measures, in a line. */
  readonly about: string;
  readonly run: () => Promise<Measured>;
}

/** The result of a measurement. */
export interface Measured {
  readonly rows: readonly Row[];
  readonly curves?: readonly Curve[];
}

/** The latency that a real network adds to each answer. */
const LATENCY_MS = 50;

/** The networks for every measurement that sends requests. */
export const NETWORKS = [
  { network: "answers at once", latencyMs: 0 },
  { network: `${LATENCY_MS} ms of latency`, latencyMs: LATENCY_MS },
] as const;

/** How often ours and the baseline run in turns. */
export const ROUNDS = 5;

type Judge = (ratio: number) => Verdict;

export const atMost =
  (most: number): Judge =>
  (ratio) => ({ ratio, goal: `at most ${most}`, isMet: ratio <= most });

export const atLeast =
  (least: number): Judge =>
  (ratio) => ({ ratio, goal: `at least ${least}`, isMet: ratio >= least });

/** For comparison, without a goal. */
export const shown: Judge = (ratio) => ({ ratio, isMet: true });

/** A line of two figures. @param text A figure in words. */
export const rowOf = (
  name: string,
  ours: number,
  baseline: number,
  text: (figure: number) => string,
  judge = shown,
): Row => ({ name, ours: text(ours), baseline: text(baseline), ...judge(ours / baseline) });

/** The same of the medians of two sides. */
export const rowOfSides = <Run>(
  name: string,
  [ours, baseline]: readonly [ours: Side<Run>, baseline: Side<Run>],
  figure: (run: Run) => number,
  text = seconds,
  judge = shown,
): Row => rowOf(name, ours.median(figure), baseline.median(figure), text, judge);

/** A line of a count whose goal is one number. */
export const exactly = (name: string, ours: number, wanted: number, baseline = wanted): Row => ({
  ...{ name, ours: String(ours), baseline: String(baseline) },
  ...{ ratio: ours, goal: String(wanted), isMet: ours === wanted },
});

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

/** One side of a comparison: its act, and the figures of each run of it. */
export class Side<Run> {
  private readonly runs: Run[] = [];

  constructor(private readonly act: () => Promise<Run>) {}

  async run(): Promise<void> {
    this.runs.push(await this.act());
  }

  median(figure: (run: Run) => number): number {
    return median(this.runs.map(figure));
  }

  /** For events that must not happen even once: a median would hide them. */
  most(figure: (run: Run) => number): number {
    return Math.max(...this.runs.map(figure));
  }
}

/** Runs the sides in turns, so that other load on the machine meets all of them; each round begins with another side. */
export async function inTurns(...sides: readonly { run(): Promise<void> }[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const from = round % sides.length;
    for (const side of [...sides.slice(from), ...sides.slice(0, from)]) await side.run();
  }
}

/** How long something took, in milliseconds. */
export async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(Math.abs(ms) < 10_000 ? 2 : 1)} s`;
export const milliseconds = (ms: number): string => `${ms.toFixed(0)} ms`;
export const inBytes = (count: number): string => `${count.toFixed(0)} bytes`;
export const inMegabytes = (count: number): string => `${count.toFixed(0)} MB`;
