import { DBOS } from "@dbos-inc/dbos-sdk";
import { perform, type Task } from "./engine";
import { leftOf, type FleetStack, type Wave } from "./plan";
import { lateOf, rolledBackOf, servingOf } from "./rotate";
import {
  approvalOf,
  CUT_OFF,
  failedBy,
  hasFailed,
  isLook,
  reasonOf,
  type Outcome,
  type Place,
  type Plan,
} from "./runs";
import { forgetValues, valueOf } from "./seal";
import type { Worker } from "./worker";

/** The queue of stacks. A partition holds those of a platform. */
const STACKS = "stacks";
const A_MONTH = 30 * 24 * 3600;

/** What a run does to each of its stacks. */
type Order = Omit<Task, "stack">;

/** A step that only asks the database, which may be away for a while: a run does not fail for that. */
const look = <T>(name: string, act: () => Promise<T>): Promise<T> =>
  DBOS.runStep(act, { name, retriesAllowed: true, maxAttempts: 1000, intervalSeconds: 1, backoffRate: 1 });

const at = (place: Place): Promise<void> => DBOS.setEvent("at", place);

/** Runs and their stacks, as workflows of a worker. To be made before the worker starts. */
export class Workflows {
  private readonly run = this.registered("run", (plan: Plan) => this.roll(DBOS.workflowID ?? "", plan));
  private readonly stack = this.registered("stack", (task: Task) => this.doStack(task));

  constructor(private readonly worker: Worker) {}

  /** Begins a run, within limits that all workers keep. */
  async begin(run: string, plan: Plan): Promise<void> {
    const { concurrency, perPlatform = 10_000 } = plan.limits;
    const limits = { workerConcurrency: concurrency, partitionConcurrency: perPlatform };
    await DBOS.registerQueue(STACKS, { ...limits, minPollingIntervalMs: 250, onConflict: "always_update" });
    await DBOS.startWorkflow(this.run, { workflowID: run })(plan);
  }

  private registered<Given, Result>(name: string, act: (given: Given) => Promise<Result>) {
    // Kills are no reason to give up.
    const settings = { name, maxRecoveryAttempts: 10_000 };
    return DBOS.registerWorkflow((given: Given) => this.worker.run(() => act(given)), settings);
  }

  private step<T>(name: string, act: () => Promise<T>): Promise<T> {
    return DBOS.runStep(() => this.worker.whole(act), { name });
  }

  /** A run: its waves one after the other, each behind the gate of the one before. Its output says how it ended. */
  private async roll(run: string, { command, key, waves, limits }: Plan): Promise<string> {
    // Looking at stacks harms none: no failures end it.
    const order = { run, command, key, failures: isLook(command) ? undefined : limits.failures };
    let verdict = "done";
    try {
      for (const wave of waves) {
        await at({ wave: wave.name });
        const failed = (await this.doAll(`${run}/`, leftOf(wave), order)).filter(hasFailed).length;
        if (failed > 0) verdict = "done, with failures";
        const stop = await look("standing", () => this.stopOf(order));
        const isGuarded = wave.gate !== undefined && wave.isPassed !== true;
        const closed = stop ?? (isGuarded ? await this.gate(order, wave, failed) : null);
        if (closed !== null) return closed;
      }
      return verdict;
    } finally {
      // Unless it has not ended: then another worker goes on with it.
      await look("end", async () => {
        if (await this.worker.isOurs()) await forgetValues(this.worker);
      });
    }
  }

  /** One stack of a run. The engine is safe to run again, so a step that was cut off is simply repeated. */
  private async doStack(task: Task): Promise<Outcome> {
    // A step of its own: failures meanwhile do not stop a stack that was cut off in the middle.
    const stop = await look("begin", () => this.stopOf(task));
    if (stop !== null) return { state: "untouched", reason: stop };
    const outcome = await this.step(task.command, async () => {
      if (await this.isCancelled(task.run)) return CUT_OFF;
      return (task.key === undefined ? perform(task, this.worker) : this.rotate(task)).catch(failedBy);
    });
    const failure = "INSERT INTO fleet.failures VALUES ($1, $2) ON CONFLICT DO NOTHING";
    if (hasFailed(outcome)) await look("failure", () => this.countOf(failure, task.run, task.stack.id));
    return outcome;
  }

  /** Sets the new value and brings the stack up. An agent that does not serve the value then is a failure, too. */
  private async rotate(task: Task): Promise<Outcome> {
    const value = await valueOf(task.run, this.worker).catch((error: unknown) => this.worker.giveUp(error));
    if (value === undefined) return failedBy("the run has no sealed value any more: start the rotation again");
    const outcome = await perform(task, this.worker, value).catch(failedBy);
    const serving = await servingOf(task.stack, this.worker.root);
    const late = lateOf(serving);
    return { ...(hasFailed(outcome) || late.length === 0 ? outcome : failedBy(late.join("; "))), serving };
  }

  /** Puts the stacks into the queue, and waits for all of them. */
  private async doAll(prefix: string, stacks: readonly FleetStack[], order: Order): Promise<Outcome[]> {
    const handles = [];
    for (const stack of stacks) {
      const enqueueOptions = { queuePartitionKey: `platform ${stack.labels["platform"] ?? ""}` };
      const where = { queueName: STACKS, workflowID: prefix + stack.id, enqueueOptions };
      handles.push(await DBOS.startWorkflow(this.stack, where)({ ...order, stack }));
    }
    const outcomes: Outcome[] = [];
    for (const handle of handles) outcomes.push(await handle.getResult());
    return outcomes;
  }

  /** Why a run may begin no further stack; null if it may. */
  private async stopOf({ run, failures: most }: Order): Promise<string | null> {
    if (await this.isCancelled(run)) return "cancelled";
    if (most === undefined) return null;
    const failures = await this.countOf("SELECT FROM fleet.failures WHERE run = $1", run);
    return failures < most ? null : `stopped after ${failures} ${failures === 1 ? "failure" : "failures"}`;
  }

  /** How many rows a statement finds or makes. */
  private async countOf(text: string, ...values: string[]): Promise<number> {
    return (await this.worker.database.pool.query(text, values)).rowCount ?? 0;
  }

  private async isCancelled(run: string): Promise<boolean> {
    const { client } = this.worker.database;
    // A run can have thousands of stacks in its input.
    const without = { loadInput: false, loadOutput: false };
    return (await client.listWorkflows({ workflowIDs: [run], status: "CANCELLED", ...without })).length > 0;
  }

  /** Waits until a wave's gate lets the next one through; why not, otherwise. */
  private async gate({ run, command }: Order, { name: wave, stacks, gate }: Wave, failed: number) {
    const closed = (reason: string): string => `stopped at the gate of ${wave}: ${reason}`;
    if (failed > 0) return closed(`${failed} of its stacks failed`);
    const { checks, drift, approve } = gate ?? {};
    if (checks !== undefined && command !== "destroy") {
      await at({ wave, gate: "checks" });
      const back = await this.step("checks", async () => (await rolledBackOf(stacks, this.worker.root)) ?? null);
      if (back !== null) return closed(reasonOf(back));
    }
    if (drift !== undefined && command !== "destroy") {
      await at({ wave, gate: "drift" });
      const outcomes = await this.doAll(`${run}#${wave}/`, stacks, { run, command: "drift" });
      const first = outcomes.findIndex(({ state }) => state !== "succeeded");
      if (first >= 0) return closed(`${stacks[first]?.id ?? ""}: ${outcomes[first]?.reason ?? ""}`);
    }
    if (approve === true) {
      await at({ wave, gate: "approve" });
      const wait = { timeoutSeconds: A_MONTH, pollingIntervalMs: 500 };
      let by: string | null = null;
      while (by === null) by = await DBOS.recv<string>(approvalOf(wave), wait);
      await DBOS.setEvent(approvalOf(wave), by);
    }
    return null;
  }
}
