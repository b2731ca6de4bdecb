import * as pulumi from "@pulumi/pulumi";
import { propertiesOf } from "../../provider/lifecycle/fields/table";
import { deploymentTable } from "../../provider/resources/deployment/fields";
import { afterRegistration, registration, rowOfSecrets } from "../resource";
import type { DeploymentSource, SourcedArgs } from "./deployment-source.generated";
import type { DeclaredDeploymentArgs, DeploymentOutputs } from "./deployment.generated";
import { warnOfLeftOutRollout } from "./left-out";
import { Rollout } from "./rollout";

/** Arguments of a {@link Deployment}: those of its table, and those of the class itself. */
export interface DeploymentArgs extends DeclaredDeploymentArgs {
  /** Whether `pulumi up` waits until the revision is DEPLOYED. A plain value: it decides whether there is a {@link Rollout}. @default true */
  awaitRollout?: boolean;
  /** How long the rollout waits, like "45m". @default customTimeouts.create of the options, else "30m" */
  rolloutTimeout?: pulumi.Input<string>;
}

/**
 * {@link DeploymentArgs} of a source: `sourceConfig` and `sourceRevisionConfig` lack what that source refuses, and have what it
 * needs (docs/sources.md). A source that the compiler does not know has all of them, and needs none.
 */
export type DeploymentArgsFor<Source extends DeploymentSource> = UnsourcedArgs & SourcedArgs<Source>;

// An interface, because the compiler's messages show its name.
interface UnsourcedArgs extends Omit<DeploymentArgs, "source" | "sourceConfig" | "sourceRevisionConfig"> {}

const TYPE = { kind: "Deployment", hasTimeout: true, ...propertiesOf(deploymentTable) } as const;

// eslint-disable-next-line @typescript-eslint/no-unused-vars -- what is merged has the parameters of the class
export interface Deployment<Source extends DeploymentSource = DeploymentSource> extends DeploymentOutputs {}

/**
 * A deployment of an agent server. Its id and revision are in state as soon as the platform accepts it; its child
 * `rollout` waits until the revision is DEPLOYED. To wait, a dependent uses `url`, `activeRevisionId` or `deployed`, or
 * `dependsOn: deployment.rollout`: depending on the deployment alone does not wait.
 *
 * @example
 * import * as pulumi from "@pulumi/pulumi";
 * import { Deployment } from "pulumi-agent-platform";
 *
 * const desk = new Deployment("desk", {
 *   source: "external_docker",
 *   sourceRevisionConfig: { imageUri: "registry.example.com/desk:1.4.0" },
 *   secrets: { MODEL_API_KEY: new pulumi.Config().requireSecret("modelApiKey") },
 * });
 * export const url = desk.url; // known once the agent runs
 */
export class Deployment<Source extends DeploymentSource = DeploymentSource> extends pulumi.CustomResource {
  /** The wait; undefined with `awaitRollout: false` and after `Deployment.get`: the outputs below are then null, and `deployed` is false. */
  readonly rollout: Rollout | undefined;
  /** The agent's address, once the revision serves; null if the platform does not say. */
  readonly url: pulumi.Output<string | null>;
  /** The revision that serves. */
  readonly activeRevisionId: pulumi.Output<string | null>;
  /** The commit that serves; null if the platform names none. */
  readonly repoCommitSha: pulumi.Output<string | null>;
  /** The version of the agent server that serves; null if the platform names none. */
  readonly imageVersion: pulumi.Output<string | null>;
  /** True once the revision is DEPLOYED. */
  readonly deployed: pulumi.Output<boolean>;
  private readonly declaredUrl: pulumi.Output<string | undefined>;

  /** An existing deployment, by its id, read but not managed. Makes no rollout, and shows no variables of the environment. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): Deployment {
    return new Deployment(name, undefined, { ...options, id });
  }

  /** The `sourceConfig.customUrl` of the program, whatever the platform says. @internal */
  static declaredUrl(deployment: Deployment): pulumi.Output<string | undefined> {
    return deployment.declaredUrl;
  }

  constructor(name: string, args: DeploymentArgsFor<Source>, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: DeploymentArgs | undefined, options: pulumi.CustomResourceOptions = {}) {
    const { awaitRollout: isAwaited, rolloutTimeout, ...declared } = args ?? {};
    // In the data of a component, other languages may give null for an omitted argument.
    const awaitRollout = isAwaited ?? true;
    const inputs = args && {
      ...declared,
      // If it is true, the Rollout itself shows that.
      ...(awaitRollout ? {} : { awaitRollout }),
      ...rowOfSecrets("Deployment", name, args.secrets, options),
      name: args.name ?? (args.agent == null ? name : undefined),
    };
    super(...registration(TYPE, name, inputs, options));
    // With `agent`, the platform gives the name.
    afterRegistration(this, TYPE, name, inputs && { ...inputs, name }, options);
    const sourceConfig = pulumi.output(args?.sourceConfig);
    this.declaredUrl = sourceConfig.apply((config) => config?.customUrl);
    this.rollout =
      args && awaitRollout
        ? new Rollout(
            name,
            {
              deploymentId: this.id,
              revisionId: this.latestRevisionId,
              deploymentName: inputs?.name ?? this.name,
              followsPushes: sourceConfig.apply((config) => config?.buildOnPush),
              // The deployment's output, not its argument: with ignoreChanges, the deployment keeps the address that a refresh found.
              customUrl: pulumi.output(this.sourceConfig).apply((config) => config?.customUrl),
              rolloutTimeout: rolloutTimeout ?? options.customTimeouts?.create,
            },
            // The deployment's `protect` protects the agent. If the rollout inherited it, awaitRollout could never be set to false.
            { parent: this, protect: false },
          )
        : undefined;
    if (this.rollout !== undefined) warnOfLeftOutRollout(this, this.rollout);
    this.url = this.rollout?.url ?? pulumi.output(null);
    this.activeRevisionId = this.rollout?.activeRevisionId ?? pulumi.output(null);
    this.repoCommitSha = this.rollout?.repoCommitSha ?? pulumi.output(null);
    this.imageVersion = this.rollout?.imageVersion ?? pulumi.output(null);
    this.deployed = this.rollout?.activeRevisionId.apply((revision) => revision !== null) ?? pulumi.output(false);
  }
}
