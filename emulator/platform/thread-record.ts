import { z } from "zod";
import type { RecordOf } from "../store/collection";
import { defineCollection, fields, storedRecord } from "../store/define-collection";

/** The latest state that a run has reached, and the nodes that come next. */
const checkpoint = z.object({
  id: z.string(),
  parent_id: z.string().nullable(),
  run_id: z.string(),
  step: z.number(),
  created_at: z.string(),
  values: fields,
  next: z.array(z.string()),
});

/** How the latest run ended; "idle" while it is under way, and after success. */
const lastRun = z.object({
  status: z.enum(["idle", "error", "interrupted"]),
  error: z.object({ error: z.string(), message: z.string() }).nullable(),
  /** The node of the graph that failed; null where the run failed before its first. */
  failed_node: z.string().nullable(),
});

const recordSchema = storedRecord.extend({
  deployment_id: z.string(),
  /** Clients may choose it, so threads of two agents may share one. null in data of an older emulator, where it was the id. */
  thread_id: z.string().nullable().default(null),
  metadata: fields,
  /** The state that the finished runs left behind; null before the first one. */
  values: fields.nullable(),
  checkpoint: checkpoint.nullable().default(null),
  /** null before the first run. */
  last_run: lastRun.nullable().default(null),
  /** null in data of an older emulator. */
  state_updated_at: z.string().nullable().default(null),
});

/** The id by which an agent knows the thread. */
export const threadIdOf = ({ thread_id: threadId, id }: { thread_id: string | null; id: string }): string =>
  threadId ?? id;

/** The threads of all deployments. */
export const threads = defineCollection("threads", recordSchema, (record) => [
  record.deployment_id,
  threadIdOf(record),
]);
export type ThreadRecord = RecordOf<typeof threads>;
export type LastRun = NonNullable<ThreadRecord["last_run"]>;
