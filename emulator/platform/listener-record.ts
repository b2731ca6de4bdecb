import type { StoredRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { createListenerBody } from "./listener-body";

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
