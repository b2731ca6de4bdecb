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

/** The properties of a {@link Rollout}. */
export interface RolloutOutputs {
  /** The deployment's id. */
  readonly deploymentId: pulumi.Output<string>;
  /**
   * The revision to wait for: the deployment's `latestRevisionId`, or "after <id>" for the one that follows. A change waits for that one.
   */
  readonly revisionId: pulumi.Output<string | null | undefined>;
  /** The deployment's name, for messages. */
  readonly deploymentName: pulumi.Output<string | undefined>;
  /** Whether pushes make revisions (`buildOnPush`): a newer revision is then not drift. */
  readonly followsPushes: pulumi.Output<boolean | undefined>;
  /** The deployment's `sourceConfig.customUrl`, if it declares one: a change makes no revision, but moves `url`. */
  readonly customUrl: pulumi.Output<string | undefined>;
  /** How long to wait, like "45m". */
  readonly rolloutTimeout: pulumi.Output<string | undefined>;
  /** The revision that serves: the one waited for, or a newer one that took its place. */
  readonly activeRevisionId: pulumi.Output<string | null>;
  /** The agent's address; null if the platform does not say. */
  readonly url: pulumi.Output<string | null>;
  /** The commit that serves; null if the platform names none. */
  readonly repoCommitSha: pulumi.Output<string | null>;
  /** The version of the agent server that serves; null if the platform names none. */
  readonly imageVersion: pulumi.Output<string | null>;
}
