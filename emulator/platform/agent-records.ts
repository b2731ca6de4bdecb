import { z } from "zod";
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
export type AssistantRecord = z.infer<typeof assistant>;

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
export type CronRecord = z.infer<typeof cron>;

const item = ofAgent.extend({ namespace: z.array(z.string()), key: z.string(), value: fields });
export type StoreItemRecord = z.infer<typeof item>;

/** What the agents of all deployments keep beside their threads; each graph's own assistant only once somebody has changed it. */
export const agentAssistants = defineCollection("agent_assistants", assistant, (record) => [record.deployment_id]);
export const agentCrons = defineCollection("agent_crons", cron, (record) => [record.deployment_id]);
export const agentItems = defineCollection("agent_items", item, (record) => [record.deployment_id]);
