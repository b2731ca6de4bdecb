import { z } from "zod";
import { defineCollection, storedRecord } from "../store/collection";

const fields = z.record(z.string(), z.unknown());

const recordSchema = storedRecord.extend({
  deployment_id: z.string(),
  metadata: fields,
  /** The state that the runs so far left behind; null before the first one. */
  values: fields.nullable(),
});

/** A thread as stored. */
export type ThreadRecord = z.infer<typeof recordSchema>;

/** The threads of all deployments. */
export const threads = defineCollection("threads", recordSchema, (record) => [record.deployment_id]);
