import { DBOS } from "@dbos-inc/dbos-sdk";
import { shortText } from "../cli/base/printable";
import { perform, type Task } from "./engine";
import type { Limits } from "./file";
import type { FleetStack, Wave } from "./plan";
import { rolledBackOf, secretRevisions, type SecretRevisions, servingOf } from "./rotate";
import { failedBy, progressOf, type FleetCommand, type Outcome, type Place, type Plan } from "./runs";
import { valueOf } from "./seal";
import type { Worker } from "./worker";

/** The queues: of runs, and of their stacks. A partition holds the stacks of a platform. */
export const RUNS = "runs";
const STACKS = "stacks";
/** Where a person's `approve` arrives, with the name of the wave. */
export const APPROVALS = "approvals";
const A_MONTH = 30 * 24 * 3600;

/** What is to be done to each stack. */
interface Order {
  readonly command: FleetCommand;
  readonly key?: string | undefined;
  /** Nothing begins after so many failures. */
  readonly failures?: number;
}

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
export async function registerQueues({ concurrency, perPlatform = 10_000 }: Limits): Promise<void> {
  const own = { minPollingIntervalMs: 250, onConflict: "always_update" } as const;
  await DBOS.registerQueue(RUNS, own);
  await DBOS.registerQueue(STACKS, { ...own, workerConcurrency: concurrency, partitionConcurrency: perPlatform });
}

const step = <T>(name: string, act: () => Promise<T>): Promise<T> => DBOS.runStep(act, { name });

/** A step that only asks the database, which may be away for a while: a run does not fail for that. */
const look = <T>(name: string, act: () => Promise<T>): Promise<T> =>
  DBOS.runStep(act, { name, retriesAllowed: true, maxAttempts: 1000, intervalSeconds: 1, backoffRate: 1 });

/** Why a run may begin no further stack; null if it may. */
async function stopOf(run: string, most?: number): Promise<string | null> {
  if ((await worker().database.client.getWorkflow(run))?.status === "CANCELLED") return "cancelled";
  const failures = await failuresOf(run);
  if (most === undefined || failures < most) return null;
  return `stopped after ${failures} ${failures === 1 ? "failure" : "failures"}`;
}

const failuresOf = async (run: string): Promise<number> =>
  [...(await progressOf(worker().database, run)).outcomes.values()].filter(
    ({ state }) => state === "failed" || state === "locked",
  ).length;

/** A workflow of the worker; `act` gets its id and its arguments. */
function registerWorkflow<Args extends unknown[], Result>(
  name: string,
  act: (id: string, ...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  const run = (...args: Args): Promise<Result> => {
    const { workflowID: id = "" } = DBOS;
    return worker().run(id, () => act(id, ...args));
  };
  // Kills are no reason to give up.
  return DBOS.registerWorkflow(run, { name, maxRecoveryAttempts: 10_000 });
}

/** One stack of a run. The engine is safe to run again, so a step that was cut off is simply repeated. */
const stackWorkflow = registerWorkflow(
  "stack",
  async (workflow, run: string, stack: FleetStack, { command, key, failures }: Order): Promise<Outcome> => {
    // A step of its own: the next one is repeated, and may have changed the secrets by then.
    const before = key === undefined ? [] : await step("before", () => secretRevisions({ stack, root: worker().root }));
    // Nor is this asked again of a stack that was cut off in the middle.
    const stop = await look("begin", () => stopOf(run, failures));
    if (stop !== null) return { state: "untouched", reason: stop };
    return step(command, async () => {
      const task = { run, workflow, stack, command };
      try {
        return await (key === undefined ? perform(task, worker()) : rotate(task, key, before, worker()));
      } catch (error) {
        if (!(await worker().isOurs(workflow))) throw error;
        return failedBy(error);
      }
    });
  },
);

/** Sets the new value and brings the stack up; then who serves it. */
async function rotate(task: Task, key: string, before: SecretRevisions, by: Worker): Promise<Outcome> {
  const secret = { key, value: await valueOf(task.run, by) };
  by.secrets.add(secret.value);
  const outcome = await perform({ ...task, secret }, by);
  return { ...outcome, serving: await servingOf({ stack: task.stack, root: by.root }, new Map(before)) };
}

/** A run: its waves one after the other, each behind the gate of the one before. Its output says how it ended. */
export const runWorkflow = registerWorkflow(
  "run",
  async (run, { command, key, waves, limits }: Plan): Promise<string> => {
    // Looking at a stack harms no other.
    const isLook = command === "preview" || command === "drift";
    const order = { command, key, ...(!isLook && { failures: limits.failures }) };
    let verdict: string | null = null;
    for (const wave of waves) {
      await at({ wave: wave.name });
      const those = wave.stacks.filter(({ id }) => wave.done?.[id] === undefined);
      await allOf(`${run}/`, run, those, order);
      verdict = await look("standing", () => stopOf(run, order.failures));
      if (wave.gate !== undefined && wave.isPassed !== true && !isLook) verdict ??= await gate(run, wave, command);
      if (verdict !== null) break;
    }
    return look("end", async () => {
      await worker().database.pool.query("DELETE FROM fleet.sealed WHERE run = $1", [run]);
      return verdict ?? ((await failuresOf(run)) > 0 ? "done, with failures" : "done");
    });
  },
);

const at = (place: Place): Promise<void> => DBOS.setEvent("at", place);

/** Puts the stacks into the queue, and waits for all of them. */
async function allOf(prefix: string, run: string, stacks: readonly FleetStack[], order: Order): Promise<Outcome[]> {
  const handles = [];
  for (const stack of stacks) {
    const enqueueOptions = { queuePartitionKey: `platform ${stack.labels["platform"] ?? ""}` };
    const where = { queueName: STACKS, workflowID: prefix + stack.id, enqueueOptions };
    handles.push(await DBOS.startWorkflow(stackWorkflow, where)(run, stack, order));
  }
  const outcomes: Outcome[] = [];
  for (const handle of handles) outcomes.push(await handle.getResult());
  return outcomes;
}

/** Waits until a wave's gate lets the next one through; why not, otherwise. */
async function gate(
  run: string,
  { name: wave, stacks, gate: wanted }: Wave,
  command: FleetCommand,
): Promise<string | null> {
  if (wanted?.checks !== undefined && command !== "destroy") {
    await at({ wave, gate: "checks" });
    const back = await step("checks", async () => (await rolledBackOf(stacks, worker().root)) ?? null);
    if (back !== null) return `stopped at the gate of ${wave}: ${shortText(back, 300)}`;
  }
  if (wanted?.drift !== undefined && command !== "destroy") {
    await at({ wave, gate: "drift" });
    const outcomes = await allOf(`${run}#${wave}/`, run, stacks, { command: "drift" });
    const first = outcomes.findIndex(({ state }) => state !== "succeeded");
    if (first >= 0)
      return `stopped at the gate of ${wave}: ${stacks[first]?.id ?? ""}: ${outcomes[first]?.reason ?? ""}`;
  }
  if (wanted?.approve === true) {
    await at({ wave, gate: "approve" });
    while ((await DBOS.recv(APPROVALS, { timeoutSeconds: A_MONTH, pollingIntervalMs: 500 })) !== wave);
  }
  return null;
}
