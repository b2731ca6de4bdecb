import { isNotFound } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import { defineResource } from "../../lifecycle/defined";
import { KeptList } from "../../lifecycle/observe/kept-list";
import { mapFound, observe } from "../../lifecycle/observe/observation";
import { toComputedNames, toInputNames, toRequest } from "../../lifecycle/fields/rename";
import { createWebhook, deleteWebhook, readWebhook, readWebhooks, updateWebhook, type WebhookWire } from "./api";
import { webhookTable, type WebhookInputs } from "./fields";

const identified = (live: WebhookWire) => ({ id: live.name, live });

const toPatch = ({ url, retries, extra }: WebhookInputs): JsonObject => ({ url, retries: retries ?? "3", ...extra });

/** A webhook, whose id is its name. All of its endpoints are documented. */
export const webhook = defineResource<WebhookInputs, WebhookWire>({
  api: "control",
  table: webhookTable,
  naturalKey: "name",
  undocumented: [],
  list: new KeptList<WebhookWire>(async function* ({ send }) {
    yield (await readWebhooks(send)).data.map(identified);
  }),

  create: {
    body: (inputs) => toRequest(webhookTable.fields, inputs),
    post: ({ send }, _inputs, body) => createWebhook(send, body),
    createdAt: (live) => live.created_at,
    idOf: (live) => live.name,
    undeclared: "all",
  },

  observe: async ({ send }, key) =>
    mapFound(await observe(() => readWebhook(send, "id" in key ? key.id : key.name)), identified),

  patch: toPatch,
  update: async ({ send }, { id }, inputs) => (await updateWebhook(send, id, toPatch(inputs))).data,

  async delete({ send }, { id }) {
    try {
      await deleteWebhook(send, id);
      return "deleted";
    } catch (error) {
      if (isNotFound(error)) return "absent";
      throw error;
    }
  },

  toInputs: (live) => toInputNames(webhookTable.fields, live),
  toComputed: (live) => toComputedNames(webhookTable.fields, live),
});
