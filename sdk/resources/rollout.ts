import * as pulumi from "@pulumi/pulumi";
import { propertiesOf } from "../../provider/lifecycle/fields/table";
import { rolloutTable } from "../../provider/resources/rollout/fields";
import { afterRegistration, givenArgs, registration, urnOf } from "../resource";
import type { RolloutArgs, RolloutOutputs } from "./rollout.generated";

/** As {@link RolloutArgs}; what comes from another resource may turn out to be left out. */
interface GivenRolloutArgs extends Omit<RolloutArgs, "followsPushes" | "customUrl"> {
  followsPushes?: pulumi.Input<boolean | undefined>;
  customUrl?: pulumi.Input<string | undefined>;
}

const TYPE = { kind: "Rollout", hasTimeout: true, ...propertiesOf(rolloutTable) } as const;

export interface Rollout extends RolloutOutputs {}

/**
 * The wait until a revision of a deployment is DEPLOYED. Every {@link Deployment} creates its own. It has no object on the platform,
 * so cutting it off costs nothing: the next `pulumi up` waits again.
 *
 * @example
 * // A wait of its own, for a deployment that makes none.
 * import { Deployment, Rollout } from "pulumi-agent-platform";
 *
 * const desk = new Deployment("desk", {
 *   source: "external_docker",
 *   sourceRevisionConfig: { imageUri: "registry.example.com/desk:1.4.0" },
 *   awaitRollout: false,
 * });
 * new Rollout("desk", { deploymentId: desk.id, revisionId: desk.latestRevisionId, rolloutTimeout: "45m" });
 */
export class Rollout extends pulumi.CustomResource {
  constructor(name: string, args: GivenRolloutArgs, options: pulumi.CustomResourceOptions = {}) {
    const declared = givenArgs(args);
    const inputs = {
      ...declared,
      // Leave out false, the default, so that a preview does not show it.
      followsPushes: pulumi.output(declared.followsPushes).apply((follows) => follows || undefined),
      rolloutTimeout: declared.rolloutTimeout ?? options.customTimeouts?.create,
      __progressUrn: urnOf("Rollout", name, options),
    };
    super(...registration(TYPE, name, inputs, options));
    afterRegistration(this, TYPE, name, inputs, options);
  }
}
