import { RequestLimit, WINDOW_MS } from "../provider/http/limiter";
import { waitFor } from "../provider/lifecycle/wait";
import { EventClock } from "../tests/event-clock";
import { median, type Row } from "./row";

const ROLLOUTS = 1_000;
const LIMIT = 1_000;
const DURATION_MS = 60_000;

/** 1,000 waits of one process at once, under the platform's limit, on a clock of their own: how much of it they take, and who waits longest. */
export async function manyRollouts(): Promise<Row[]> {
  const clock = new EventClock(0);
  const limit = new RequestLimit(LIMIT, WINDOW_MS, clock);
  const sent: number[] = [];
  const lags: number[] = [];
  const one = async () => {
    await waitFor({
      probe: async () => {
        const ended = await limit.admit({ isPoll: true });
        sent.push(clock.now());
        ended();
        return clock.now() >= DURATION_MS;
      },
      judge: (isDone) => (isDone ? { state: "done", result: undefined } : { state: "pending", status: "BUILDING" }),
      limitMs: 30 * 60_000,
      clock,
      random: Math.random,
      timedOut: () => new Error("never"),
    });
    lags.push(clock.now() - DURATION_MS);
  };
  await clock.until(Promise.all(Array.from({ length: ROLLOUTS }, one)));
  const most = mostWithin(sent, WINDOW_MS);
  const [slowest, middle] = [Math.max(...lags), median(lags)];
  return [
    {
      name: "1,000 rollouts at once: the most polls in 10 s, against the limit of 1,000",
      ours: String(most),
      baseline: String(LIMIT),
      ratio: most / LIMIT,
      goal: "at most 0.5",
      isMet: most <= LIMIT / 2,
    },
    {
      name: "1,000 rollouts at once: when the slowest finds out, against the median",
      ours: `${(slowest / 1000).toFixed(1)} s`,
      baseline: `${(middle / 1000).toFixed(1)} s`,
      ratio: slowest / middle,
      goal: "at most 3",
      isMet: slowest <= 3 * middle,
    },
  ];
}

function mostWithin(times: readonly number[], windowMs: number): number {
  let [from, most] = [0, 0];
  times.forEach((time, to) => {
    while ((times[from] ?? 0) <= time - windowMs) from += 1;
    most = Math.max(most, to - from + 1);
  });
  return most;
}
