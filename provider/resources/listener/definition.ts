import { compact, sameMembers } from "../../base/json";
import { toRequest } from "../../lifecycle/fields/rename";
import { table, type InputsOf } from "../../lifecycle/fields/table";
import { adoptField, choice, extra, list, nullable, object, text } from "../../lifecycle/fields/types";
import { restResource } from "../../lifecycle/rest/rest-resource";
import { createdAt, outputs } from "../rows";

/** docs/internals/platform.md, Listeners: what a request carries, and what is fixed at creation. */
const listenerTable = table(
  {
    kind: "Listener",
    naturalKey: "computeId",
    undocumented: ["list", "create", "read", "update", "delete"],
    echoes: true,
    one: "listener",
    summary:
      'The listener of a self-hosted cluster. It runs the deployments whose `sourceConfig.listenerId` is its id, the platform\'s UUID. Needs contract "extended".',
    description: "Arguments of a {@link Listener} (docs/internals/platform.md, Listeners).",
    reading: {
      id: "The platform's UUID, for a deployment's `sourceConfig.listenerId`.",
      key: "The id that you gave the cluster.",
      place: "docs/internals/platform.md, Listeners",
      page: 100,
    },
  },
  {
    computeId: {
      type: text(255),
      description: "The id that you choose for the cluster, such as its name. Unique in the workspace.",
      required: true,
      replaceOn: "always",
    },
    computeType: {
      type: choice("k8s"),
      description: "The kind of cluster.",
      replaceOn: "always",
      default: "k8s",
    },
    computeConfig: {
      type: object(
        {
          k8sNamespaces: {
            type: list(text(253)),
            description: "The Kubernetes namespaces in which the listener runs deployments, in any order.",
            equal: sameMembers,
          },
        },
        { name: "ComputeConfigArgs", description: "How a listener runs deployments." },
      ),
      description: "How the listener runs deployments.",
      required: true,
      defaultText: "`{}`",
    },
    extra,
    adopt: adoptField("computeId"),
    ...outputs({
      version: {
        type: nullable(text()),
        description: "The version that runs in the cluster; null if the platform does not say.",
      },
      createdAt,
    }),
  },
);

export type ListenerInputs = InputsOf<typeof listenerTable.fields>;

const { fields } = listenerTable;

/** The listener of a self-hosted cluster (docs/internals/platform.md, Listeners). All of its endpoints belong to contract `extended`. */
export const listener = restResource<ListenerInputs>({
  table: listenerTable,
  path: "/v2/listeners",

  // The platform has no default for compute_type.
  body: (inputs) => toRequest(fields, { computeType: fields.computeType.default, ...compact({ ...inputs }) }),
  // PATCH clears fields that are no longer declared.
  patch: ({ computeConfig, extra: others }, changes) =>
    toRequest(fields, {
      ...(changes.some(({ path: [name] }) => name === "computeConfig") && {
        computeConfig: { k8sNamespaces: null, ...compact({ ...computeConfig }) },
      }),
      extra: others,
    }),
});
