import { z } from "zod";
import { compact } from "../../base/json";
import { toRequest } from "../../lifecycle/fields/rename";
import { restResource } from "../../lifecycle/rest/rest-resource";
import { listenerTable, type ListenerInputs } from "./fields";

const { fields } = listenerTable;

/** The listener of a self-hosted cluster (docs/internals/platform.md, Listeners). All of its endpoints belong to contract `extended`. */
export const listener = restResource<ListenerInputs>({
  table: listenerTable,
  path: "/v2/listeners",
  answer: {
    compute_type: z.string().optional().catch(undefined),
    compute_id: z.string().optional().catch(undefined),
    compute_config: z
      .looseObject({ k8s_namespaces: z.array(z.string()).nullish() })
      .nullish()
      .catch(undefined),
    version: z.string().nullish().catch(undefined),
    created_at: z.string().nullish().catch(undefined),
  },

  // The platform has no default for compute_type.
  body: (inputs) => toRequest(fields, { computeType: fields.computeType.default, ...compact({ ...inputs }) }),
  // PATCH clears fields that are no longer declared.
  patch: ({ computeConfig, extra }) =>
    toRequest(fields, { computeConfig: { k8sNamespaces: null, ...compact({ ...computeConfig }) }, extra }),
});
