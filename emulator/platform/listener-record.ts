import { z } from "zod";
import type { StoredRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";

/** docs/internals/platform.md, Listeners. */
export const computeConfig = z.object({ k8s_namespaces: z.array(z.string()).nullable().default(null) });

/** docs/internals/platform.md, Listeners: at creation. */
export const createListenerBody = z.object({
  compute_type: z.literal("k8s"),
  compute_id: z.string(),
  compute_config: computeConfig,
  version: z.string().nullable().default(null),
});

/** A listener as stored. */
export interface ListenerRecord extends StoredRecord {
  compute_type: "k8s";
  compute_id: string;
  compute_config: { k8s_namespaces: string[] | null };
  version: string | null;
}

const recordSchema = storedRecord.extend(createListenerBody.shape);

/** The listeners; out of band they are found by compute_id too. */
export const listeners = defineCollection<ListenerRecord>("listeners", recordSchema, ({ compute_id: computeId }) => [
  computeId,
]);
