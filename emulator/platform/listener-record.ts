import type { RecordOf } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { createListenerBody } from "./resource-bodies";

const recordSchema = storedRecord.extend(createListenerBody.shape);

/** The listeners; out of band they are found by compute_id too. */
export const listeners = defineCollection("listeners", recordSchema, ({ compute_id: computeId }) => [computeId]);
export type ListenerRecord = RecordOf<typeof listeners>;
