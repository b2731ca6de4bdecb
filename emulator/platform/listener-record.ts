import { z } from "zod";
import { defineCollection, storedRecord } from "../store/collection";

/** docs/platform.md, Listeners. */
export const computeConfig = z.object({ k8s_namespaces: z.array(z.string()).nullable().default(null) });

/** docs/platform.md, Listeners: at creation. */
export const createListenerBody = z.object({
  compute_type: z.literal("k8s"),
  compute_id: z.string(),
  compute_config: computeConfig,
  version: z.string().nullable().default(null),
});

const recordSchema = storedRecord.extend(createListenerBody.shape);
/** A listener as stored. */
export type ListenerRecord = z.infer<typeof recordSchema>;

/** The listeners; out of band they are found by compute_id too. */
export const listeners = defineCollection("listeners", recordSchema, ({ compute_id: computeId }) => [computeId]);
