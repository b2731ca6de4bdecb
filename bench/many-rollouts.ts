import { RequestLimit, WINDOW_MS } from "../provider/http/limiter";
import { repeat } from "../provider/http/retry";
import type { Request, Send } from "../provider/http/request";
import { SILENT } from "../provider/lifecycle/session";
import { Workspaces } from "../provider/lifecycle/observe/workspace";
import type { Context } from "../provider/lifecycle/observe/context";
import { rollOut } from "../provider/resources/rollout/definition";
import { connectionTo } from "../tests/support/connection";
import { EventClock } from "../tests/support/event-clock";
import { mostWithin } from "../tests/support/most-within";
import { atMost, inTurns, type Measured, median, NETWORKS, type Row, rowOf, shown, Side } from "./row";

const LIMIT = 1_000;
/** Ten minutes; one rollout in four fails after five. */
const TIMES = { durationMs: 600_000, failsMs: 300_000 };
const fails = (id: string): boolean => Number(id.slice(1)) % 4 === 1;

/** How many wait at once, and the most that the median lag may be, of a success and of a failure alike: 2 % of ten minutes, then what half of the limit leaves. */
const CROWDS = [
  { count: 40, goalMs: 12_000, failureMs: 6_000 },
  { count: 300, goalMs: 8_000, failureMs: 8_000 },
  { count: 1_000, goalMs: 20_000, failureMs: 20_000 },
];

/** Many waits of one process at once, under the platform's limit, on a clock of their own. */
export async function manyRollouts(): Promise<Measured> {
  const rows: Row[] = [];
  for (const { network, latencyMs } of NETWORKS) {
    for (const { count, goalMs, failureMs } of CROWDS) {
      const side = new Side(() => waits(count, latencyMs));
      await inTurns(side);
      const most = side.most((run) => run.most);
      const what = `${count.toLocaleString("en")} rollouts at once, ${network}`;
      const lag = (name: string, figure: (run: Waited) => number, goal: number, judge = atMost(1)): Row =>
        rowOf(`${what}: ${name}`, side.median(figure), goal, (ms) => `${(ms / 1000).toFixed(1)} s`, judge);
      rows.push(
        lag("median lag of a success", ({ lags }) => median(lags), goalMs),
        lag("median lag of a failure", ({ failedLags }) => median(failedLags), failureMs),
        lag("when the slowest finds out", ({ lags }) => Math.max(...lags), goalMs, shown),
        rowOf(`${what}: the most polls in 10 s, against the limit of 1,000`, most, LIMIT, String, atMost(0.5)),
      );
    }
  }
  return { rows };
}

/** What the waits took: milliseconds from the end of a revision until its wait ended; and the most polls in 10 s. */
interface Waited {
  readonly lags: readonly number[];
  readonly failedLags: readonly number[];
  readonly most: number;
}

async function waits(count: number, latencyMs: number): Promise<Waited> {
  const clock = new EventClock(0);
  const limit = new RequestLimit(LIMIT, WINDOW_MS, clock);
  const arrived: number[] = [];
  const send: Send = (request, answer, until) =>
    repeat(request, { clock, random: Math.random, limit, attempts: 6, budgetMs: 60_000 }, until, async () => {
      await clock.sleep(latencyMs / 2);
      if (request.effort === "poll") arrived.push(clock.now());
      const body = answerTo(request, clock.now());
      await clock.sleep(latencyMs / 2);
      return { data: answer.parse(body), date: clock.now() };
    });
  const context: Context = {
    connection: connectionTo("https://platform.example", { rateLimit: LIMIT }),
    send,
    sendToSandboxes: send,
    sendTo: () => send,
    clock,
    random: Math.random,
    log: SILENT,
    writes: { count: 0 },
    workspaces: new Workspaces(),
    program: { of: () => [] },
    isFirstTo: () => true,
    checkAlive: () => Promise.resolve(),
    call: {},
  };
  const [lags, failedLags]: [number[], number[]] = [[], []];
  const wait = async (id: string) => {
    const inputs = { deploymentId: id, revisionId: revisionOf(id), followsPushes: false };
    await rollOut(context, inputs).then(
      () => lags.push(clock.now() - TIMES.durationMs),
      () => failedLags.push(clock.now() - TIMES.failsMs),
    );
  };
  await clock.until(Promise.all(Array.from({ length: count }, (_, n) => wait(`d${n}`))));
  return { lags, failedLags, most: mostWithin(arrived, WINDOW_MS) };
}

const revisionOf = (id: string): string => `r-${id}`;

/** What the platform answers: all deployments were made when the clock began. Statuses stay the same until the end: the hardest case. */
function answerTo({ path }: Request, now: number): unknown {
  const [, id = ""] = /^\/v2\/deployments\/([^/]+)/.exec(path) ?? [];
  const made = { created_at: new Date(0).toISOString(), updated_at: new Date(0).toISOString() };
  if (path.endsWith("_logs")) return { logs: [{ message: "Build failed" }] };
  const { durationMs, failsMs } = TIMES;
  const serves = !fails(id) && now >= durationMs;
  if (!path.includes("/revisions/")) {
    const active = serves ? revisionOf(id) : null;
    return { id, ...made, secrets: [], latest_revision_id: revisionOf(id), active_revision_id: active };
  }
  const status = serves ? "DEPLOYED" : fails(id) && now >= failsMs ? "BUILD_FAILED" : "BUILDING";
  return { id: revisionOf(id), ...made, status };
}
