import { table, type InputsOf } from "../../lifecycle/fields/table";
import { adoption, choice, extra, nullable, text, url } from "../../lifecycle/fields/types";
import { restResource } from "../../lifecycle/rest/rest-resource";

export const webhookTable = table(
  {
    kind: "Webhook",
    one: "webhook",
    summary: "Calls an address when a deployment has been rolled out. Its id is its name.",
    description: "Arguments of a {@link Webhook}.",
    reading: { id: "The same as `name`.", idIsKey: true },
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

/** A webhook. All of its endpoints are documented. */
export const webhook = restResource<InputsOf<typeof webhookTable.fields>>({
  table: webhookTable,
  naturalKey: "name",
  path: "/v2/webhooks",
  undocumented: [],
});
