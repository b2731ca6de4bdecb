// Generated from the table of Rollout by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** Arguments of a {@link Rollout}. */
export interface RolloutArgs {
  /** The deployment's id. Changing this replaces the resource. */
  deploymentId: pulumi.Input<string>;
  /**
   * The revision to wait for: the deployment's `latestRevisionId`, or "after <id>" for the one that follows. A change waits for that one.
   */
  revisionId?: pulumi.Input<string | null | undefined>;
  /** The deployment's name, for messages. */
  deploymentName?: pulumi.Input<string>;
  /** Whether pushes make revisions (`buildOnPush`): a newer revision is then not drift. @default false */
  followsPushes?: pulumi.Input<boolean>;
  /** The deployment's `sourceConfig.customUrl`, if it declares one: a change makes no revision, but moves `url`. */
  customUrl?: pulumi.Input<string>;
  /** How long to wait, like "45m". @default "30m" */
  rolloutTimeout?: pulumi.Input<string>;
}
