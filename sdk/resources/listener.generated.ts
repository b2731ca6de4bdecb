// Generated from the table of Listener by `npm run generate`: do not edit.
import * as pulumi from "@pulumi/pulumi";
import { afterRegistration, registration } from "../resource";

/** How a listener runs deployments. */
export interface ComputeConfigArgs {
  /** The Kubernetes namespaces in which the listener runs deployments, in any order. */
  k8sNamespaces?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Arguments of a {@link Listener} (docs/internals/platform.md, Listeners). */
export interface ListenerArgs {
  /** The id that you choose for the cluster, such as its name. Unique in the workspace. Changing this replaces the resource. */
  computeId: pulumi.Input<string>;
  /** The kind of cluster. Changing this replaces the resource. @default "k8s" */
  computeType?: pulumi.Input<"k8s">;
  /** How the listener runs deployments. @default `{}` */
  computeConfig?: pulumi.Input<ComputeConfigArgs>;
  /** Fields of the platform that this version does not know, sent as they are. Not for secrets. */
  extra?: pulumi.Input<Record<string, unknown>>;
  /** Take over the existing object with this computeId (`true`) or id, and make it as declared (docs/adopting.md). @default false */
  adopt?: pulumi.Input<boolean | string>;
}

const TYPE = {
  kind: "Listener",
  deletesFirst: true,
  inputs: ["computeId", "computeType", "computeConfig"],
  computed: ["version", "createdAt"],
  secretInputs: [],
  secretOutputs: [],
} as const;

/**
 * The listener of a self-hosted cluster. It runs the deployments whose `sourceConfig.listenerId` is its id, the platform's UUID. Needs
 * contract "extended".
 *
 * @example
 * // the listener of a Kubernetes cluster
 * import { Listener } from "pulumi-agent-platform";
 *
 * const listener = new Listener("cluster", {
 *   computeId: "cluster-eu-1",
 *   computeConfig: { k8sNamespaces: ["agents", "agents-staging"] },
 * });
 */
export class Listener extends pulumi.CustomResource {
  /** The id that you choose for the cluster, such as its name. Unique in the workspace. */
  declare readonly computeId: pulumi.Output<string>;
  /** The kind of cluster. */
  declare readonly computeType: pulumi.Output<string | undefined>;
  /** How the listener runs deployments. */
  declare readonly computeConfig: pulumi.Output<pulumi.Unwrap<ComputeConfigArgs>>;
  /** The version that runs in the cluster; null if the platform does not say. */
  declare readonly version: pulumi.Output<string | null>;
  /** When the platform created it. */
  declare readonly createdAt: pulumi.Output<string | null>;

  /** An existing listener, by its id, read but not managed. Needs contract "extended". */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): Listener {
    return new Listener(name, undefined, { ...options, id });
  }

  constructor(name: string, args: ListenerArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: ListenerArgs | undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: ListenerArgs | undefined, options: pulumi.CustomResourceOptions = {}) {
    const inputs = args && { ...args, computeConfig: args.computeConfig ?? {} };
    super(...registration(TYPE, name, inputs, options));
    afterRegistration(this, TYPE, name, inputs, options);
  }
}
