import * as pulumi from "@pulumi/pulumi";
import { typeToken } from "../../provider/kinds";
import { knowAbsent, refuseImport, registered, warnOfIgnored } from "../resource";

/** Arguments of a {@link Rollout}. */
export interface RolloutArgs {
  /** The deployment's id. Changing this replaces the resource. */
  deploymentId: pulumi.Input<string>;
  /** The revision to wait for: the deployment's `latestRevisionId`, or "after <id>" for the one that follows. A change waits for that one. */
  revisionId?: pulumi.Input<string | null | undefined>;
  /** The deployment's name, for messages. */
  deploymentName?: pulumi.Input<string>;
  /** Pushes make revisions by themselves (`buildOnPush`): a newer revision is then no drift. @default false */
  followsPushes?: pulumi.Input<boolean>;
  /** How long to wait, like "45m". @default "30m" */
  rolloutTimeout?: pulumi.Input<string>;
}

const TYPE = typeToken("Rollout");
const PROPERTIES = {
  inputs: ["deploymentId", "revisionId", "deploymentName", "followsPushes", "rolloutTimeout"],
  computed: ["activeRevisionId", "url"],
};

/**
 * The wait until a revision of a deployment is DEPLOYED. Every {@link Deployment} makes its own; it has no object on the platform,
 * so cutting it off costs nothing: the next `pulumi up` waits again.
 */
export class Rollout extends pulumi.CustomResource {
  declare readonly deploymentId: pulumi.Output<string>;
  declare readonly revisionId: pulumi.Output<string | null | undefined>;
  /** The revision that serves: the one waited for, or a newer one that took its place. */
  declare readonly activeRevisionId: pulumi.Output<string | null>;
  /** Where the agent answers; null where the platform does not say. */
  declare readonly url: pulumi.Output<string | null>;

  constructor(name: string, args: RolloutArgs, options: pulumi.CustomResourceOptions = {}) {
    refuseImport("Rollout", name, options);
    const inputs = {
      ...args,
      rolloutTimeout: args.rolloutTimeout ?? options.customTimeouts?.create,
      // The plugin is not told whose row of the engine's display is the rollout's.
      progressUrn: pulumi.createUrn(name, TYPE, options.parent),
    };
    super(TYPE, name, registered("Rollout", inputs, PROPERTIES), options);
    knowAbsent(this, inputs, PROPERTIES);
    warnOfIgnored(this, `Rollout "${name}"`, options, ["create"]);
  }
}
