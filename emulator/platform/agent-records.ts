import { z } from "zod";
import type { RecordOf } from "../store/collection";
import { defineCollection, fields, storedRecord } from "../store/define-collection";

const ofAgent = storedRecord.extend({ deployment_id: z.string() });

/** What a version of an assistant says. */
const version = z.object({
  version: z.number(),
  graph_id: z.string(),
  config: fields,
  context: fields,
  metadata: fields,
  name: z.string(),
  description: z.string().nullable(),
});
const assistant = ofAgent.extend({
  assistant_id: z.string(),
  ...version.shape,
  /** All that it has had, oldest first. */
  versions: z.array(version.extend({ created_at: z.string() })),
});

const cron = ofAgent.extend({
  cron_id: z.string(),
  assistant_id: z.string(),
  thread_id: z.string().nullable(),
  user_id: z.string(),
  end_time: z.string().nullable(),
  schedule: z.string(),
  timezone: z.string().nullable(),
  /** What was asked for, as runs get it. */
  payload: fields,
  next_run_date: z.string(),
  metadata: fields,
  on_run_completed: z.string().nullable(),
  enabled: z.boolean(),
});

const item = ofAgent.extend({ namespace: z.array(z.string()), key: z.string(), value: fields });

/** What the agents of all deployments keep beside their threads; each graph's own assistant only once somebody has changed it. */
export const agentAssistants = defineCollection("agent_assistants", assistant, (record) => [record.deployment_id]);
export const agentCrons = defineCollection("agent_crons", cron, (record) => [record.deployment_id]);
export const agentItems = defineCollection("agent_items", item, (record) => [record.deployment_id]);
export type AssistantRecord = RecordOf<typeof agentAssistants>;
export type CronRecord = RecordOf<typeof agentCrons>;
export type StoreItemRecord = RecordOf<typeof agentItems>;

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

const thread = ofAgent.extend({
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
export const threads = defineCollection("threads", thread, (record) => [record.deployment_id, threadIdOf(record)]);
export type ThreadRecord = RecordOf<typeof threads>;
export type LastRun = NonNullable<ThreadRecord["last_run"]>;
