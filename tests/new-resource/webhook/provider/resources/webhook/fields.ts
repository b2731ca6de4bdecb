import { table, type InputsOf } from "../../lifecycle/fields/table";
import { adoption, choice, extra, nullable, text, url } from "../../lifecycle/fields/types";

export const webhookTable = table(
  {
    kind: "Webhook",
    one: "webhook",
    summary: "A URL that the platform calls.",
    description: "Arguments of a {@link Webhook}.",
  },
  {
    name: { type: text(255), description: "One of its kind in the tenant.", required: true, replaceOn: "always" },
    event: {
      type: choice("deployed", "failed"),
      description: "The event that it is called for.",
      required: true,
      replaceOn: "always",
    },
    url: { type: url(), description: "Where it is sent to, an absolute URL.", required: true },
    retries: { type: text(8), description: "How often it is tried again.", default: "3" },
    extra,
    adopt: adoption("name"),
    createdAt: { type: nullable(text()), description: "When the platform created it (ISO 8601).", computed: true },
  },
);

export type WebhookInputs = InputsOf<typeof webhookTable.fields>;
