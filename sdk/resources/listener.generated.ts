// Generated from provider/resources/listener/fields.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

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
  /** How the listener runs deployments. Under contract "documented" it cannot change in place. */
  computeConfig: pulumi.Input<ComputeConfigArgs>;
  /**
   * Fields of the platform that this version does not know, with the platform's own names. They are merged into requests as they are. Not
   * for secrets. Under contract "documented" it cannot change in place.
   */
  extra?: pulumi.Input<Record<string, unknown>>;
  /**
   * Take over an existing object instead of failing: `true` for the one with this computeId (if there is none, it is created), or its id.
   * The object is changed to match the declaration; a difference that cannot be changed in place is an error. You can remove this argument
   * later. @default false
   */
  adopt?: pulumi.Input<boolean | string>;
}
