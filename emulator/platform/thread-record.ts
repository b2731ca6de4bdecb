import { z } from "zod";
import type { StoredRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";

/** How the latest run ended; "idle" while it is under way, and after success. */
export interface LastRun {
  status: "idle" | "error" | "interrupted";
  error: { error: string; message: string } | null;
  /** The node of the graph that failed; null where the run failed before its first. */
  failed_node: string | null;
}

/** The latest state that a run has reached, and the nodes that come next. */
interface Checkpoint {
  id: string;
  parent_id: string | null;
  run_id: string;
  step: number;
  created_at: string;
  values: Record<string, unknown>;
  next: string[];
}

/** A thread as stored. */
export interface ThreadRecord extends StoredRecord {
  deployment_id: string;
  /** Clients may choose it, so threads of two agents may share one. null in data of an older emulator, where it was the id. */
  thread_id: string | null;
  metadata: Record<string, unknown>;
  /** The state that the finished runs left behind; null before the first one. */
  values: Record<string, unknown> | null;
  checkpoint: Checkpoint | null;
  /** null before the first run. */
  last_run: LastRun | null;
  /** null in data of an older emulator. */
  state_updated_at: string | null;
}

const fields = z.record(z.string(), z.unknown());

const checkpoint = z.object({
  id: z.string(),
  parent_id: z.string().nullable(),
  run_id: z.string(),
  step: z.number(),
  created_at: z.string(),
  values: fields,
  next: z.array(z.string()),
});

const lastRun = z.object({
  status: z.enum(["idle", "error", "interrupted"]),
  error: z.object({ error: z.string(), message: z.string() }).nullable(),
  failed_node: z.string().nullable(),
});

const recordSchema = storedRecord.extend({
  deployment_id: z.string(),
  thread_id: z.string().nullable().default(null),
  metadata: fields,
  values: fields.nullable(),
  checkpoint: checkpoint.nullable().default(null),
  last_run: lastRun.nullable().default(null),
  state_updated_at: z.string().nullable().default(null),
});

/** The id by which an agent knows the thread. */
export const threadIdOf = ({ thread_id: threadId, id }: Pick<ThreadRecord, "thread_id" | "id">): string =>
  threadId ?? id;

/** The threads of all deployments. */
export const threads = defineCollection<ThreadRecord>("threads", recordSchema, (record) => [
  record.deployment_id,
  threadIdOf(record),
]);
