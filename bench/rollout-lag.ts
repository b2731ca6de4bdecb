import { ManualClock } from "../emulator";
import type { Clock } from "../provider/base/clock";
import { waitFor } from "../provider/lifecycle/wait/wait";
import { contextWith } from "../tests/support/context";
import { FakeClock } from "../tests/support/fake-clock";
import { atMost, median, milliseconds, NETWORKS, percentile, ROUNDS, rowOf, type Measured, type Row } from "./row";

const ROLLOUTS = 200;
const [SHORTEST_MS, LONGEST_MS] = [200, 600_000];

/** From 0.2 s to 10 min, evenly spread on a logarithmic scale; played in several rounds, since the pauses are random. */
const DURATIONS = Array.from(
  { length: ROLLOUTS * ROUNDS },
  (_, n) => SHORTEST_MS * (LONGEST_MS / SHORTEST_MS) ** ((n % ROLLOUTS) / (ROLLOUTS - 1)),
);

/** A way to wait: polls until a poll says that it is over. */
type Way = (clock: Clock, poll: () => Promise<boolean>) => Promise<unknown>;

/** The cost of one way to wait: how late it saw each end, as a share of the goal and in milliseconds, and how many polls a round took. */
interface Cost {
  readonly shares: readonly number[];
  readonly lagMs: number;
  readonly polls: number;
}

/** How late 200 rollouts are seen to be DEPLOYED, on a clock of their own. */
export async function rolloutLag(): Promise<Measured> {
  const rows: Row[] = [];
  for (const { network, latencyMs } of NETWORKS) {
    const ways = [ourWay, fixedWay(5_000), fixedWay(1_000)];
    const [ours, every5s, every1s] = await Promise.all(ways.map((way) => cost(way, latencyMs)));
    if (!ours || !every5s || !every1s) throw new Error("nothing was measured");
    const what = `200 rollouts, ${network}`;
    const late = (name: string, part: number, most: number): Row => {
      const share = percentile(ours.shares, part);
      const whole = `${what}: ${name}, in 2 % of the duration or 250 ms`;
      return { name: whole, ours: share.toFixed(2), baseline: String(most), ...atMost(most)(share) };
    };
    rows.push(
      late("median lag from DEPLOYED to seen", 0.5, 1),
      late("95th percentile of the lag", 0.95, 2),
      rowOf(`${what}: median lag, against a poll every 5 s`, ours.lagMs, every5s.lagMs, milliseconds, atMost(0.1)),
      rowOf(`${what}: requests, against a poll every 1 s`, ours.polls, every1s.polls, String, atMost(1)),
    );
  }
  return { rows };
}

/** The status says nothing here: the hardest case. */
const ourWay: Way = (clock, poll) =>
  waitFor({
    poll,
    condition: (isOver) => (isOver ? { state: "done", result: undefined } : { state: "pending", status: "BUILDING" }),
    limitMs: 2 * LONGEST_MS,
    context: contextWith({ clock, random: Math.random }),
    timedOut: () => new Error("never"),
    stopped: () => new Error("never"),
  });

const fixedWay =
  (everyMs: number): Way =>
  async (clock, poll) => {
    while (!(await poll())) await clock.sleep(everyMs);
  };

async function cost(way: Way, latencyMs: number): Promise<Cost> {
  const lags: number[] = [];
  let polls = 0;
  for (const duration of DURATIONS) {
    const clock = new FakeClock(new ManualClock(0));
    const poll = async () => {
      polls += 1;
      await clock.sleep(latencyMs / 2);
      const isOver = clock.now() >= duration;
      await clock.sleep(latencyMs / 2);
      return isOver;
    };
    await way(clock, poll);
    lags.push(clock.now() - duration);
  }
  // A lag of one is the most that the goal allows: 2 % of the duration, or 250 ms.
  const shares = lags.map((lag, n) => lag / Math.max(250, 0.02 * (DURATIONS[n] ?? 0)));
  return { shares, lagMs: median(lags), polls: Math.round(polls / ROUNDS) };
}
