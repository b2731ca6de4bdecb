import { DBOS } from "@dbos-inc/dbos-sdk";
import { messageOf } from "../provider/base/errors";
import { shortText } from "../cli/base/printable";
import { perform } from "./engine";
import type { FleetStack, Plan, Wave } from "./plan";
import { rolledBackOf, servingOf, secretRevisions } from "./rotate";
import { open } from "./seal";
import type { FleetCommand, Outcome, Place, Run } from "./store";
import type { Worker } from "./worker";

/** The queues: of runs, and of their stacks. A partition is a stack, or a platform whose stacks share a limit. */
export const RUNS = "runs";
const STACKS = "stacks";
const OFTEN = 250;
/** Kills are no reason to give up. */
const RECOVERIES = { maxRecoveryAttempts: 10_000 };
/** Where a person's `approve` and `cancel` arrive. */
export const DECISIONS = "decisions";
/** What a person decided at a gate. */
export type Decision = { readonly approve: string; readonly by: string } | { readonly cancel: true };
const A_MONTH = 30 * 24 * 3600;

let self: Worker | undefined;
const worker = (): Worker => {
  if (self === undefined) throw new Error("the worker has not started");
  return self;
};

/** Says who does the steps. To be called before DBOS is launched. */
export function performBy(given: Worker): void {
  self = given;
}

/** Sets the limits that all workers keep. */
export async function registerQueues({ limits }: Plan): Promise<void> {
  const { concurrency, perPlatform = 1 } = limits;
  const own = { minPollingIntervalMs: OFTEN, onConflict: "always_update" } as const;
  await DBOS.registerQueue(RUNS, own);
  await DBOS.registerQueue(STACKS, { ...own, workerConcurrency: concurrency, partitionConcurrency: perPlatform });
}

const step = <T>(name: string, act: () => Promise<T>): Promise<T> => DBOS.runStep(act, { name });

async function runOf(id: string): Promise<Run> {
  const run = await worker().store.run(id);
  if (run === undefined) throw new Error(`there is no run ${id}`);
  return run;
}

/** Why a run has to stop now; undefined if it may go on. */
async function stopOf(id: string): Promise<string | undefined> {
  const { stopped, plan } = await runOf(id);
  if (stopped) return "cancelled";
  const failures = await worker().store.failures(id);
  return failures >= plan.limits.failures
    ? `stopped after ${failures} ${failures === 1 ? "failure" : "failures"}`
    : undefined;
}

/** One stack of a run. The engine is safe to run again, so a step that was cut off is simply repeated. */
export const stackWorkflow = DBOS.registerWorkflow(
  async (runId: string, stack: FleetStack, command: FleetCommand, task: string): Promise<Outcome["state"]> => {
    const { workflowID = "" } = DBOS;
    const isStillOurs = async (): Promise<boolean> =>
      (await DBOS.getWorkflowStatus(workflowID))?.executorId === worker().id;
    return step(command, async () => {
      const { store } = worker();
      const isGate = task !== stack.id;
      const stop = isGate ? undefined : await stopOf(runId);
      if (stop !== undefined) {
        await store.record(runId, task, stack.id, { state: "untouched", reason: stop, seconds: 0 });
        return "untouched";
      }
      const { outcome, report } = await attempt(runId, stack, command, isStillOurs);
      await store.record(runId, task, stack.id, outcome, report === undefined ? undefined : JSON.stringify(report));
      return outcome.state;
    });
  },
  { name: "stack", ...RECOVERIES },
);

async function attempt(
  runId: string,
  stack: FleetStack,
  command: FleetCommand,
  isStillOurs: () => Promise<boolean>,
): Promise<{ outcome: Outcome; report?: unknown }> {
  const call = { run: runId, stack, command };
  if (command !== "rotate") return { outcome: await perform(call, worker(), isStillOurs) };
  let value: string;
  const { sealed, details } = await runOf(runId);
  try {
    value = open(sealed ?? "", worker());
  } catch (error) {
    return { outcome: { state: "failed", reason: messageOf(error), seconds: 0 } };
  }
  worker().hide(value);
  const target = { stack, root: worker().root };
  const before = await secretRevisions(target);
  const outcome = await perform({ ...call, secret: { key: details.key ?? "", value } }, worker(), isStillOurs);
  return { outcome, report: await servingOf(target, before) };
}

/** A run: its waves one after the other, each behind the gate of the one before. */
export const runWorkflow = DBOS.registerWorkflow(
  async (runId: string): Promise<string> => {
    const { plan, command, details } = await step("plan", async () => {
      const run = await runOf(runId);
      return { plan: run.plan, command: run.command, details: run.details };
    });
    let verdict: string | undefined;
    for (const wave of plan.waves) {
      await step("at", () => worker().store.at(runId, { wave: wave.name }));
      await allOf(
        runId,
        wave.stacks.filter(({ id }) => wave.done?.includes(id) !== true),
        command,
        plan,
      );
      verdict = await step("standing", async () => (await stopOf(runId)) ?? null).then((stop) => stop ?? undefined);
      const isPassed = details.passed?.includes(wave.name) === true;
      if (verdict === undefined && !isPassed) verdict = await gate(runId, wave, command, plan);
      if (verdict !== undefined) break;
    }
    const said =
      verdict ?? ((await step("failures", () => worker().store.failures(runId))) > 0 ? "done, with failures" : "done");
    await step("end", () => worker().store.end(runId, said));
    return said;
  },
  { name: "run", ...RECOVERIES },
);

/** Puts the stacks into the queue, and waits for all of them. */
async function allOf(
  runId: string,
  stacks: readonly FleetStack[],
  command: FleetCommand,
  { limits }: Plan,
  suffix = "",
): Promise<void> {
  const handles = [];
  for (const stack of stacks) {
    const queuePartitionKey =
      limits.perPlatform === undefined ? stack.id : `platform ${stack.labels["platform"] ?? ""}`;
    const where = {
      queueName: STACKS,
      workflowID: `${runId}/${stack.id}${suffix}`,
      enqueueOptions: { queuePartitionKey },
    };
    handles.push(await DBOS.startWorkflow(stackWorkflow, where)(runId, stack, command, `${stack.id}${suffix}`));
  }
  for (const handle of handles) await handle.getResult();
}

/** Waits until a wave's gate lets the next one through; why not, otherwise. */
async function gate(
  runId: string,
  { name, stacks, gate: wanted }: Wave,
  command: FleetCommand,
  plan: Plan,
): Promise<string | undefined> {
  if (wanted === undefined || command === "preview" || command === "drift") return undefined;
  const at = (waits: Place["gate"]): Promise<number> =>
    step("at", () => worker().store.at(runId, { wave: name, ...(waits && { gate: waits }) }));
  const suffix = `#gate:${name}`;
  if (wanted.checks !== undefined && command !== "destroy") {
    await at("checks");
    const back = await step("checks", () => rolledBackOf(stacks, worker().root));
    if (back !== undefined) return `stopped at the gate of ${name}: ${shortText(back, 300)}`;
  }
  if (wanted.drift !== undefined && command !== "destroy") {
    await at("drift");
    await allOf(runId, stacks, "drift", plan, suffix);
    const rows = await step("compared", () => worker().store.outcomes(runId));
    const [first] = rows.filter(({ task, state }) => task.endsWith(suffix) && state !== "succeeded");
    if (first !== undefined) return `stopped at the gate of ${name}: ${first.stack}: ${first.reason}`;
  }
  if (!wanted.approve) return undefined;
  await at("approve");
  for (;;) {
    const decision = await DBOS.recv<Decision>(DECISIONS, { timeoutSeconds: A_MONTH, pollingIntervalMs: 500 });
    if (decision !== null && "cancel" in decision) return "cancelled";
    if (decision?.approve === name) return undefined;
  }
}
