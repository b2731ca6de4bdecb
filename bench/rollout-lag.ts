import { waitFor } from "../provider/lifecycle/wait";
import { FakeClock } from "../tests/fake-clock";
import { median, percentile, type Row } from "./row";

const ROLLOUTS = 200;
const [SHORTEST_MS, LONGEST_MS] = [200, 600_000];

/** What polling with one rule costs: how late it saw each end, and how many looks it took. */
interface Polled {
  readonly lags: readonly number[];
  readonly looks: number;
}

/** 200 rollouts from 0.2 s to 10 min, each as likely to be ten times longer as ten times shorter, on a clock of their own. */
export async function rolloutLag(): Promise<Row[]> {
  const durations = Array.from(
    { length: ROLLOUTS },
    (_, n) => SHORTEST_MS * (LONGEST_MS / SHORTEST_MS) ** (n / (ROLLOUTS - 1)),
  );
  const ours = await polled(durations, (clock, look) =>
    waitFor({
      probe: look,
      judge: (isDone) => (isDone ? { state: "done", result: undefined } : { state: "pending", status: "BUILDING" }),
      limitMs: 2 * LONGEST_MS,
      clock,
      random: Math.random,
      timedOut: () => new Error("never"),
    }),
  );
  const fixed = (everyMs: number) =>
    polled(durations, async (clock, look) => {
      while (!(await look())) await clock.sleep(everyMs);
    });
  const [naive5, naive1] = [await fixed(5_000), await fixed(1_000)];
  // A lag of one is all that the goal allows: 2 % of the duration, or 250 ms.
  const shares = ours.lags.map((lag, n) => lag / Math.max(250, 0.02 * (durations[n] ?? 0)));
  const [middle, late] = [median(shares), percentile(shares, 0.95)];
  const againstNaive = median(ours.lags) / median(naive5.lags);
  return [
    {
      name: "200 rollouts: lag from DEPLOYED to seen, as a share of 2 % of the duration or 250 ms",
      ours: `median ${middle.toFixed(2)}, p95 ${late.toFixed(2)}`,
      baseline: "1, p95 2",
      ratio: middle,
      goal: "at most 1; p95 at most 2",
      isMet: middle <= 1 && late <= 2,
    },
    {
      name: "200 rollouts: median lag, against a poll every 5 s",
      ours: `${median(ours.lags).toFixed(0)} ms`,
      baseline: `${median(naive5.lags).toFixed(0)} ms`,
      ratio: againstNaive,
      goal: "at most 0.1",
      isMet: againstNaive <= 0.1,
    },
    {
      name: "200 rollouts: requests, against a poll every 1 s",
      ours: String(ours.looks),
      baseline: String(naive1.looks),
      ratio: ours.looks / naive1.looks,
      goal: "below 1",
      isMet: ours.looks < naive1.looks,
    },
  ];
}

async function polled(
  durations: readonly number[],
  wait: (clock: FakeClock, look: () => Promise<boolean>) => Promise<unknown>,
): Promise<Polled> {
  const lags: number[] = [];
  let looks = 0;
  for (const duration of durations) {
    const clock = new FakeClock(0);
    await wait(clock, () => {
      looks += 1;
      return Promise.resolve(clock.now() >= duration);
    });
    lags.push(clock.now() - duration);
  }
  return { lags, looks };
}
