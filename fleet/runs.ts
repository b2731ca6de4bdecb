import { join } from "node:path";
import type { DBOSClient, WorkflowStatus } from "@dbos-inc/dbos-sdk";
import { z } from "zod";
import { shortText } from "../cli/base/printable";
import { errorCode, messageOf } from "../provider/base/errors";
import { safeText } from "../provider/base/masker";
import type { Database } from "./database";
import type { Limits } from "./file";
import type { FleetStack, Wave } from "./plan";
import { LEASE } from "./process";

/** How a run and its stacks stand, read from the workflows: `<run>`, and `<run>/<project>/<stack>` for each stack. */

/** What a run does to each stack. */
export type FleetCommand = "preview" | "up" | "destroy" | "drift" | "rotate";
export const isLook = (command: FleetCommand): boolean => command === "preview" || command === "drift";

/** What a run does, in its order: the input of its workflow. */
export interface Plan {
  readonly command: FleetCommand;
  /** The fleet file: where it was, and what it said. */
  readonly file: { readonly path: string; readonly says: string };
  readonly waves: readonly Wave[];
  readonly limits: Limits;
  /** The key of the configuration that a rotation sets. */
  readonly key?: string | undefined;
}

/** The words of the command that begins such a run, and goes on with it. */
export const wordsOf = ({ command, key }: Plan): string[] => [
  command,
  ...(key === undefined ? [] : [key]),
  ...(command === "destroy" ? ["--yes"] : []),
];

/** Where a run stands: in a wave, or at the gate behind it. */
export interface Place {
  readonly wave: string;
  /** What the gate waits for. */
  readonly gate?: "checks" | "drift" | "approve";
}

/** How an agent stands after a rotation. */
export interface Serving {
  /** The agent's name in the program. */
  readonly agent: string;
  /** Whether the revision that serves has the secrets that the program last set. */
  readonly serves: "new" | "old" | "unknown";
  readonly reason: string;
}

/** What became of a stack: the output of its workflow. */
export interface Outcome {
  readonly state: "succeeded" | "drifted" | "failed" | "locked" | "untouched";
  /** What it has changed, or why it failed, in a line. */
  readonly reason: string;
  /** After a rotation: who serves the new value. */
  readonly serving?: readonly Serving[];
}

/** Whether a stack counts as a failure. */
export const hasFailed = ({ state }: Outcome): boolean => state === "failed" || state === "locked";

/** A run as its workflow shows it. */
export interface Run {
  readonly id: string;
  readonly plan: Plan;
  /** That of the fleet which began it. */
  readonly version: string | undefined;
  readonly began: Date;
  /** Null while it lasts, as is how it ended. */
  readonly ended: Date | null;
  readonly verdict: string | null;
  readonly at: Place | null;
  /** Who opened a gate, by its wave. */
  readonly approved: Readonly<Record<string, string>>;
}

/** Under this, `approve` says to a run who opens the gate of a wave, and the run says so to its reports. */
export const approvalOf = (wave: string): string => `approved ${wave}`;

/** The newest run, or how one stands by now: a plan can have thousands of stacks. */
export async function runOf(client: DBOSClient, known?: Pick<Run, "id" | "plan">): Promise<Run | undefined> {
  const which = known === undefined ? {} : { workflowIDs: [known.id], loadInput: false };
  const newest = { ...which, workflowName: "run", sortDesc: true, limit: 1 };
  const [found] = await client.listWorkflows(newest).catch(noneYet);
  if (found === undefined) return undefined;
  const { workflowID: id, applicationVersion: version, createdAt, updatedAt = createdAt } = found;
  const plan = known?.plan ?? z.custom<Plan>().parse(found.input?.[0]);
  const approved: Record<string, string> = {};
  for (const { name, gate } of plan.waves) {
    const by = gate?.approve && (await client.getEvent<string>(id, approvalOf(name), { timeoutSeconds: 0 }));
    if (by) approved[name] = by;
  }
  const isActive = found.status === "PENDING" || found.status === "ENQUEUED";
  return {
    id,
    plan,
    approved,
    version,
    began: new Date(createdAt),
    ended: isActive ? null : new Date(found.completedAt ?? updatedAt),
    verdict: verdictOf(found),
    at: await client.getEvent<Place>(id, "at", { timeoutSeconds: 0 }),
  };
}

/** Before the first run DBOS has no tables. The message is in the language of the server. */
function noneYet(error: unknown): [] {
  if (errorCode(error) === "42P01") return [];
  throw error;
}

function verdictOf({ status, output, error }: WorkflowStatus): string | null {
  if (status === "SUCCESS") return String(output);
  if (status === "CANCELLED") return "cancelled";
  return status === "ERROR" ? `failed: ${reasonOf(error)}` : null;
}

/** A stack of a run: a row of its report. */
export interface Row extends Omit<Outcome, "state"> {
  readonly stack: string;
  readonly wave: string;
  readonly state: Outcome["state"] | "running" | "waiting";
  readonly seconds: number | null;
  /** When it ended. */
  readonly ended: string | null;
  /** The whole output of its engines, on the machine of its worker. */
  readonly log: string;
}

/** Where the log of a stack is. */
export const logOf = (root: string, run: string, id: string): string => join(root, ".state", "fleet", run, `${id}.log`);

/** The stacks of a run, in its order. Those that ended before `since` seem to wait: a run can have thousands. */
export async function rowsOf(
  { client, pool }: Database,
  { id: run, plan, ended: over, verdict }: Run,
  root: string,
  since = "",
): Promise<Row[]> {
  const all = { parentWorkflowID: run, workflow_id_prefix: `${run}/`, completedAfter: since, loadInput: false };
  const found = await client.listWorkflows({ ...all, status: ["SUCCESS", "ERROR", "PENDING"] });
  const begun = new Map(found.map((each) => [each.workflowID, each]));
  const alive = new Set(await aliveIn(pool));
  const rowOf = (wave: string, { id: stack, doneBy }: FleetStack): Row => {
    const row = { stack, wave, seconds: null, ended: null, log: logOf(root, doneBy ?? run, stack) };
    if (doneBy !== undefined) return { ...row, state: "succeeded", reason: `by ${doneBy}` };
    const flow = begun.get(`${run}/${stack}`);
    if (flow === undefined) return { ...row, state: over === null ? "waiting" : "untouched", reason: verdict ?? "" };
    const { status, executorId = "", output, error, completedAt, dequeuedAt = completedAt } = flow;
    if (completedAt !== undefined && dequeuedAt !== undefined) {
      const outcome = status === "SUCCESS" ? z.custom<Outcome>().parse(output) : failedBy(error);
      const ended = new Date(completedAt).toISOString();
      return { ...row, ...outcome, seconds: (completedAt - dequeuedAt) / 1000, ended };
    }
    if (alive.has(executorId)) return { ...row, state: "running", reason: `on ${executorId}` };
    // Begun by a worker that gives no sign any more.
    return { ...row, ...(over === null ? ({ state: "waiting", reason: "" } as const) : CUT_OFF) };
  };
  return plan.waves.flatMap(({ name, stacks }) => stacks.map((stack) => rowOf(name, stack)));
}

/** An error, or a text from elsewhere, as a line of a table. */
export const reasonOf = (error: unknown): string => shortText(safeText(messageOf(error)), 300);

/** The outcome of a stack that could not be done. */
export const failedBy = (error: unknown): Outcome => ({ state: "failed", reason: reasonOf(error) });

/** Of one whose engine was cut off, in a run that ended before it could go on. */
export const CUT_OFF = failedBy("it was cut off, and then the run was cancelled");

/** The workers that have given a sign of late. */
export async function aliveIn(pool: Database["pool"]): Promise<string[]> {
  const text = `SELECT id FROM fleet.workers WHERE beat > now() - make_interval(secs => ${LEASE})`;
  return (await pool.query<{ id: string }>(text)).rows.map(({ id }) => id);
}
