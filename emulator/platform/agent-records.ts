import { z } from "zod";
import type { StoredRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";

type Json = Record<string, unknown>;

/** What a version of an assistant says. */
interface AssistantVersion {
  version: number;
  graph_id: string;
  config: Json;
  context: Json;
  metadata: Json;
  name: string;
  description: string | null;
}

export interface AssistantRecord extends StoredRecord, AssistantVersion {
  deployment_id: string;
  assistant_id: string;
  /** All that it has had, oldest first. */
  versions: (AssistantVersion & { created_at: string })[];
}

export interface CronRecord extends StoredRecord {
  deployment_id: string;
  cron_id: string;
  assistant_id: string;
  thread_id: string | null;
  user_id: string;
  end_time: string | null;
  schedule: string;
  timezone: string | null;
  /** What was asked for, as runs get it. */
  payload: Json;
  next_run_date: string;
  metadata: Json;
  on_run_completed: string | null;
  enabled: boolean;
}

export interface StoreItemRecord extends StoredRecord {
  deployment_id: string;
  namespace: string[];
  key: string;
  value: Json;
}

const fields = z.record(z.string(), z.unknown());
const ofAgent = storedRecord.extend({ deployment_id: z.string() });

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
  payload: fields,
  next_run_date: z.string(),
  metadata: fields,
  on_run_completed: z.string().nullable(),
  enabled: z.boolean(),
});

const item = ofAgent.extend({ namespace: z.array(z.string()), key: z.string(), value: fields });

/** What the agents of all deployments keep beside their threads; each graph's own assistant only once somebody has changed it. */
export const agentAssistants = defineCollection<AssistantRecord>("agent_assistants", assistant, (record) => [
  record.deployment_id,
]);
export const agentCrons = defineCollection<CronRecord>("agent_crons", cron, (record) => [record.deployment_id]);
export const agentItems = defineCollection<StoreItemRecord>("agent_items", item, (record) => [record.deployment_id]);
