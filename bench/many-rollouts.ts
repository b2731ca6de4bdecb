import { RequestLimit, WINDOW_MS } from "../provider/http/limiter";
import { repeat } from "../provider/http/repeat";
import type { Request, Send } from "../provider/http/request";
import type { Contract } from "../provider/base/connection";
import type { Context } from "../provider/lifecycle/context";
import { SILENT } from "../provider/lifecycle/session";
import { Workspaces } from "../provider/lifecycle/workspace";
import { WriteCounter } from "../provider/lifecycle/writes";
import { rollOut } from "../provider/resources/rollout/definition";
import { connectionTo } from "../tests/support/connection";
import { EventClock } from "../tests/support/event-clock";
import { atMost, inTurns, median, NETWORKS, shown, Side, type Measured, type Row } from "./row";

const ROLLOUTS = 1_000;
const LIMIT = 1_000;
/** A minute; and ten, half of which are over when one rollout in a hundred fails: no list shows a failure. */
const SHORT = { durationMs: 60_000, failsMs: Infinity };
const LONG = { durationMs: 600_000, failsMs: 300_000 };
const fails = (id: string): boolean => Number(id.slice(1)) % 100 === 50;
/** How often each revision is looked at alone, where few are waited for. */
const ALONE_MS = 15_000;

/** 1,000 waits of one process at once, under the platform's limit, on a clock of their own: with shared lists, and with polls of each revision. */
export async function manyRollouts(): Promise<Measured> {
  const rows: Row[] = [];
  for (const { network, latencyMs } of NETWORKS) {
    const [ours, single, failing] = [
      new Side(() => waits("extended", latencyMs, SHORT)),
      new Side(() => waits("documented", latencyMs, SHORT)),
      new Side(() => waits("extended", latencyMs, LONG)),
    ];
    await inTurns(ours, single, failing);
    const most = ours.most((run) => run.most);
    const what = `1,000 rollouts at once, ${network}`;
    const of = (figure: (run: Waited) => number) => [ours.median(figure), single.median(figure)] as const;
    const [requests, singleRequests] = of((run) => run.requests);
    const [slowest, singleSlowest] = of((run) => Math.max(...run.lags));
    const [middle, singleMiddle] = of((run) => median(run.lags));
    const failed = failing.median((run) => median(run.failedLags));
    const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    const compared = (name: string, our: number, their: number, show: (n: number) => string = inSeconds) => ({
      name: `${what}: ${name}, against looks at each`,
      ours: show(our),
      baseline: show(their),
    });
    rows.push(
      {
        name: `${what}: the most polls in 10 s, against the limit of 1,000`,
        ours: String(most),
        baseline: String(LIMIT),
        ...atMost(0.5, most / LIMIT),
      },
      {
        name: `${what}: when the slowest finds out, against the median`,
        ours: inSeconds(slowest),
        baseline: inSeconds(middle),
        ...atMost(3, slowest / middle),
      },
      { ...compared("requests", requests, singleRequests, String), ...atMost(0.1, requests / singleRequests) },
      { ...compared("median lag", middle, singleMiddle), ...atMost(1, middle / singleMiddle) },
      { ...compared("when the slowest finds out", slowest, singleSlowest), ...atMost(1, slowest / singleSlowest) },
      {
        name: `${what}: median lag of a failure, against ${ALONE_MS / 1000} s`,
        ours: inSeconds(failed),
        baseline: inSeconds(ALONE_MS),
        ...shown(failed / ALONE_MS),
      },
    );
  }
  return { rows };
}

/** What 1,000 waits took: milliseconds from the end of a revision until its wait ended, and requests. */
interface Waited {
  readonly lags: readonly number[];
  readonly failedLags: readonly number[];
  readonly requests: number;
  readonly most: number;
}

async function waits(contract: Contract, latencyMs: number, times: typeof SHORT): Promise<Waited> {
  const clock = new EventClock(0);
  const limit = new RequestLimit(LIMIT, WINDOW_MS, clock);
  const arrived: number[] = [];
  const send: Send = (request, answer, until) =>
    repeat(request, { clock, random: Math.random, limit, attempts: 6, budgetMs: 60_000 }, until, async () => {
      await clock.sleep(latencyMs / 2);
      arrived.push(clock.now());
      const body = answerTo(request, clock.now(), times);
      await clock.sleep(latencyMs / 2);
      return { data: answer.parse(body), date: clock.now() };
    });
  const context: Context = {
    connection: connectionTo("https://platform.example", { contract, rateLimit: LIMIT }),
    send,
    clock,
    random: Math.random,
    log: SILENT,
    writes: new WriteCounter(),
    workspaces: new Workspaces(),
    declared: { of: () => [], secrets: [] },
    checkAlive: () => Promise.resolve(),
    call: {},
  };
  const [lags, failedLags]: [number[], number[]] = [[], []];
  const wait = async (id: string) => {
    const inputs = { deploymentId: id, revisionId: revisionOf(id), followsPushes: false };
    await rollOut(context, inputs, []).then(
      () => lags.push(clock.now() - times.durationMs),
      () => failedLags.push(clock.now() - times.failsMs),
    );
  };
  await clock.until(Promise.all(Array.from({ length: ROLLOUTS }, (_, n) => wait(`d${n}`))));
  return { lags, failedLags, requests: arrived.length, most: mostWithin(arrived, WINDOW_MS) };
}

const revisionOf = (id: string): string => `r-${id}`;

/** What the platform answers: all deployments were made when the clock began. Statuses tell nothing before the end: the hardest case. */
function answerTo({ path, query }: Request, now: number, { durationMs, failsMs }: typeof SHORT): unknown {
  const [, id = ""] = /^\/v2\/deployments\/([^/]+)/.exec(path) ?? [];
  const made = { created_at: new Date(0).toISOString(), updated_at: new Date(0).toISOString() };
  const isFailing = (each: string) => fails(each) && failsMs < Infinity;
  const deployment = (each: string) => ({
    id: each,
    ...made,
    source_config: { resource_spec: {} },
    source_revision_config: {},
    secrets: [],
    status: "READY",
    latest_revision_id: revisionOf(each),
    active_revision_id: now >= durationMs && !isFailing(each) ? revisionOf(each) : null,
  });
  if (path.endsWith("_logs")) return { logs: [{ message: "Build failed" }] };
  if (id === "") {
    const ids = String(query?.["deployment_ids"]).split(",");
    return { resources: ids.map(deployment), offset: ids.length };
  }
  if (!path.includes("/revisions/")) return deployment(id);
  const ended = isFailing(id) ? now >= failsMs && "BUILD_FAILED" : now >= durationMs && "DEPLOYED";
  return { id: revisionOf(id), ...made, status: ended === false ? "BUILDING" : ended };
}

function mostWithin(times: readonly number[], windowMs: number): number {
  let [from, most] = [0, 0];
  times.forEach((time, to) => {
    while ((times[from] ?? 0) <= time - windowMs) from += 1;
    most = Math.max(most, to - from + 1);
  });
  return most;
}
