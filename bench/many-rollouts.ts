import { RequestLimit, WINDOW_MS } from "../provider/http/limiter";
import { waitFor } from "../provider/lifecycle/wait";
import { EventClock } from "../tests/support/event-clock";
import { atMost, inTurns, median, NETWORKS, Side, type Measured, type Row } from "./row";

const ROLLOUTS = 1_000;
const LIMIT = 1_000;
const DURATION_MS = 60_000;

/** 1,000 waits of one process at once, under the platform's limit, on a clock of their own: how much of the limit they use, and how late the slowest one ends. */
export async function manyRollouts(): Promise<Measured> {
  const rows: Row[] = [];
  for (const { network, latencyMs } of NETWORKS) {
    const all = new Side(() => waits(latencyMs));
    await inTurns(all);
    const most = all.most((run) => run.most);
    const [slowest, middle] = [all.median((run) => run.slowest), all.median((run) => run.middle)];
    const what = `1,000 rollouts at once, ${network}`;
    rows.push(
      {
        name: `${what}: the most polls in 10 s, against the limit of 1,000`,
        ours: String(most),
        baseline: String(LIMIT),
        ...atMost(0.5, most / LIMIT),
      },
      {
        name: `${what}: when the slowest finds out, against the median`,
        ours: `${(slowest / 1000).toFixed(1)} s`,
        baseline: `${(middle / 1000).toFixed(1)} s`,
        ...atMost(3, slowest / middle),
      },
    );
  }
  return { rows };
}

async function waits(latencyMs: number): Promise<{ most: number; slowest: number; middle: number }> {
  const clock = new EventClock(0);
  const limit = new RequestLimit(LIMIT, WINDOW_MS, clock);
  const arrived: number[] = [];
  const lags: number[] = [];
  const one = async () => {
    await waitFor({
      probe: async () => {
        const ended = await limit.admit({ isPoll: true });
        await clock.sleep(latencyMs / 2);
        arrived.push(clock.now());
        const isOver = clock.now() >= DURATION_MS;
        await clock.sleep(latencyMs / 2);
        ended?.();
        return isOver;
      },
      judge: (isOver) => (isOver ? { state: "done", result: undefined } : { state: "pending", status: "BUILDING" }),
      limitMs: 30 * 60_000,
      clock,
      random: Math.random,
      timedOut: () => new Error("never"),
      stopped: () => new Error("never"),
    });
    lags.push(clock.now() - DURATION_MS);
  };
  await clock.until(Promise.all(Array.from({ length: ROLLOUTS }, one)));
  return { most: mostWithin(arrived, WINDOW_MS), slowest: Math.max(...lags), middle: median(lags) };
}

function mostWithin(times: readonly number[], windowMs: number): number {
  let [from, most] = [0, 0];
  times.forEach((time, to) => {
    while ((times[from] ?? 0) <= time - windowMs) from += 1;
    most = Math.max(most, to - from + 1);
  });
  return most;
}
