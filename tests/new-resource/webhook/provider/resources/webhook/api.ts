import { z } from "zod";
import type { JsonObject } from "../../base/json";
import { NO_BODY, type Answer, type Send } from "../../http/request";
import { segment } from "../../http/segment";

/** The fields that are needed of an answer. */
export const WebhookWire = z.looseObject({
  name: z.string().min(1),
  created_at: z.string().nullish().catch(undefined),
});
export type WebhookWire = z.infer<typeof WebhookWire>;

const PATH = "/v2/webhooks";

export const createWebhook = (send: Send, body: JsonObject): Promise<Answer<WebhookWire>> =>
  send({ method: "POST", path: PATH, body }, WebhookWire);

export const readWebhooks = (send: Send): Promise<Answer<WebhookWire[]>> =>
  send({ method: "GET", path: PATH }, z.array(WebhookWire));

export const readWebhook = (send: Send, name: string): Promise<Answer<WebhookWire>> =>
  send({ method: "GET", path: `${PATH}/${segment(name)}` }, WebhookWire);

/** It sets values: a second one sets the same. */
export const updateWebhook = (send: Send, name: string, body: JsonObject): Promise<Answer<WebhookWire>> =>
  send({ method: "PATCH", repeatable: true, path: `${PATH}/${segment(name)}`, body }, WebhookWire);

export const deleteWebhook = (send: Send, name: string): Promise<Answer<unknown>> =>
  send({ method: "DELETE", path: `${PATH}/${segment(name)}` }, NO_BODY);
