import type { DBOSClient, WorkflowStatus } from "@dbos-inc/dbos-sdk";
import { z } from "zod";
import { shortText } from "../cli/base/printable";
import { messageOf } from "../provider/base/errors";
import { safeText } from "../provider/base/masker";
import type { Database } from "./database";
import type { Limits } from "./file";
import type { Wave } from "./plan";
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
}

/** The newest run, or how one stands by now: a plan can have thousands of stacks. */
export async function runOf(client: DBOSClient, known?: Pick<Run, "id" | "plan">): Promise<Run | undefined> {
  const which = known === undefined ? {} : { workflowIDs: [known.id], loadInput: false };
  const newest = { ...which, workflowName: "run", sortDesc: true, limit: 1 };
  const [found] = await client.listWorkflows(newest).catch(noneYet);
  if (found === undefined) return undefined;
  const { workflowID: id, applicationVersion: version, createdAt, updatedAt = createdAt } = found;
  const isActive = found.status === "PENDING" || found.status === "ENQUEUED";
  return {
    id,
    plan: known?.plan ?? z.custom<Plan>().parse(found.input?.[0]),
    version,
    began: new Date(createdAt),
    ended: isActive ? null : new Date(found.completedAt ?? updatedAt),
    verdict: verdictOf(found),
    at: await client.getEvent<Place>(id, "at", { timeoutSeconds: 0 }),
  };
}

/** Before the first run DBOS has no tables. The message is in the language of the server. */
function noneYet(error: unknown): [] {
  if (error instanceof Error && "code" in error && error.code === "42P01") return [];
  throw error;
}

function verdictOf({ status, output, error }: WorkflowStatus): string | null {
  if (status === "SUCCESS") return String(output);
  if (status === "CANCELLED") return "cancelled";
  return status === "ERROR" ? `failed: ${reasonOf(error)}` : null;
}

/** How a stack of a run stands. */
export interface Standing extends Omit<Outcome, "state"> {
  readonly state: Outcome["state"] | "running" | "waiting";
  readonly seconds: number | null;
  /** When it ended. */
  readonly ended: string | null;
}

/** The stacks of a run that have begun or ended, by their ids, in the order of their ends; or those that have ended since then. */
export async function progressOf(
  { client, pool }: Database,
  run: Pick<Run, "id" | "ended">,
  since = "",
): Promise<Map<string, Standing>> {
  const all = { parentWorkflowID: run.id, workflow_id_prefix: `${run.id}/`, completedAfter: since, loadInput: false };
  const found = await client.listWorkflows({ ...all, status: ["SUCCESS", "ERROR", "PENDING"] });
  const alive = new Set(await aliveIn(pool));
  const standing = ({ status, executorId = "", output, error, ...times }: WorkflowStatus): Standing => {
    const { completedAt, dequeuedAt = completedAt } = times;
    if (completedAt !== undefined && dequeuedAt !== undefined) {
      const outcome = status === "SUCCESS" ? z.custom<Outcome>().parse(output) : failedBy(error);
      return { ...outcome, seconds: (completedAt - dequeuedAt) / 1000, ended: new Date(completedAt).toISOString() };
    }
    const open = { seconds: null, ended: null };
    if (alive.has(executorId)) return { state: "running", reason: `on ${executorId}`, ...open };
    // Begun by a worker that gives no sign any more.
    return run.ended === null ? { state: "waiting", reason: "", ...open } : { ...CUT_OFF, ...open };
  };
  found.sort((one, other) => (one.completedAt ?? 0) - (other.completedAt ?? 0));
  return new Map(found.map((each) => [each.workflowID.slice(run.id.length + 1), standing(each)]));
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
