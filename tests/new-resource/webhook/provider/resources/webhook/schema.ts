import { z } from "zod";
import { inputsSchema } from "../../lifecycle/schema";
import { rulesOf } from "../../lifecycle/table";
import { webhookTable } from "./fields";

export const webhookInputs = inputsSchema(webhookTable.fields);
export type WebhookInputs = z.infer<typeof webhookInputs.schema>;

export const webhookFields = rulesOf(webhookTable.fields);

/** The fields that are needed of an answer. */
export const WebhookWire = z.looseObject({
  name: z.string().min(1),
  created_at: z.string().nullish().catch(undefined),
});
export type WebhookWire = z.infer<typeof WebhookWire>;
