import * as pulumi from "@pulumi/pulumi";
import { typeToken } from "../../provider/kinds";
import { deletingBeforeReplace, knowAbsent, refuseImport, registered, secret, warnOfIgnored } from "../resource";
import { Rollout } from "./rollout";

/** What the agent server gets to run with. A key that is no longer declared keeps its value on the platform. */
export interface DeploymentResourceSpecArgs {
  /** Least number of instances. */
  minScale?: pulumi.Input<number>;
  /** Greatest number of instances. */
  maxScale?: pulumi.Input<number>;
  /** CPUs of an instance. */
  cpu?: pulumi.Input<number>;
  /** Most CPUs of an instance. */
  cpuLimit?: pulumi.Input<number>;
  /** Memory of an instance, in MB. */
  memoryMb?: pulumi.Input<number>;
  /** Most memory of an instance, in MB. */
  memoryLimitMb?: pulumi.Input<number>;
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  serviceAccountName?: pulumi.Input<string>;
}

/** Where the code comes from, and how it runs. */
export interface SourceConfigArgs {
  /** The integration that reads the repository. Changing this replaces the resource. */
  integrationId?: pulumi.Input<string>;
  /** The repository's URL. Changing this replaces the resource. */
  repoUrl?: pulumi.Input<string>;
  /** "dev_free", "dev", "prod" ... Changing this replaces the resource. */
  deploymentType?: pulumi.Input<string>;
  /** Whether a push makes a revision. @default false */
  buildOnPush?: pulumi.Input<boolean>;
  /** The deployment's own URL. Once set, it can be changed, but not removed. */
  customUrl?: pulumi.Input<string>;
  resourceSpec?: pulumi.Input<DeploymentResourceSpecArgs>;
  /** Changing this replaces the resource. */
  listenerId?: pulumi.Input<string>;
  /** Never returned by the platform: no drift is seen. Changing this replaces the resource. */
  listenerConfig?: pulumi.Input<{ k8sNamespace?: pulumi.Input<string> }>;
  /** Once set, it can be changed, but not removed. */
  installCommand?: pulumi.Input<string>;
  /** Once set, it can be changed, but not removed. */
  buildCommand?: pulumi.Input<string>;
  /** Changing this replaces the resource. */
  templateId?: pulumi.Input<string>;
}

/** What each revision is made of. */
export interface SourceRevisionConfigArgs {
  /** A branch, or "refs/tags/...". */
  repoRef?: pulumi.Input<string>;
  langgraphConfigPath?: pulumi.Input<string>;
  imageUri?: pulumi.Input<string>;
  sourceTarballPath?: pulumi.Input<string>;
}

/** A variable whose value the platform takes from a secret of its own. */
export interface SecretReferenceArgs {
  /** The variable's name. */
  name: pulumi.Input<string>;
  secretName: pulumi.Input<string>;
  secretKey: pulumi.Input<string>;
}

/** Arguments of a {@link Deployment} (docs/platform.md, Deployments). Unless it says otherwise, a change is an update that makes a new revision. */
export interface DeploymentArgs {
  /** One of its kind in the tenant. Changing this replaces the resource. @default the Pulumi name */
  name?: pulumi.Input<string>;
  /** "github", "external_docker", "internal_docker", "internal_source", "internal_template" ... Changing this replaces the resource. */
  source: pulumi.Input<string>;
  sourceConfig?: pulumi.Input<SourceConfigArgs>;
  sourceRevisionConfig?: pulumi.Input<SourceRevisionConfigArgs>;
  /** Plain variables of the environment. With `secrets` they are the whole environment: a variable set elsewhere is removed. */
  environmentVariables?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Secret variables of the environment: encrypted in state as a whole, never shown. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  secretReferences?: pulumi.Input<pulumi.Input<SecretReferenceArgs>[]>;
  /** Name for people; no new revision. Once set, it can be changed, but not removed. */
  displayName?: pulumi.Input<string>;
  /** Fields of the platform that this version does not know, in the platform's own names, merged into every request as given. Not for secrets. */
  extra?: pulumi.Input<Record<string, unknown>>;
  /** Any value; a change asks for a new revision of the same configuration, after a passing failure. */
  redeployTrigger?: pulumi.Input<unknown>;
  /**
   * Take over an object that exists already instead of failing: `true` for the one of this name (made where there is none), or its
   * id. It is made equal to the declaration; what cannot be changed in place is an error. Can be removed again later. @default false
   */
  adopt?: pulumi.Input<boolean | string>;
  /** Whether `pulumi up` waits until the revision is DEPLOYED. A plain value: it decides whether there is a {@link Rollout}. @default true */
  awaitRollout?: boolean;
  /** How long the rollout waits, like "45m". @default customTimeouts.create of the options, else "30m" */
  rolloutTimeout?: pulumi.Input<string>;
}

const TYPE = typeToken("Deployment");
const PROPERTIES = {
  inputs: [
    "name",
    "source",
    "sourceConfig",
    "sourceRevisionConfig",
    "environmentVariables",
    "secrets",
    "secretReferences",
    "displayName",
  ],
  computed: ["latestRevisionId", "tenantId", "createdAt"],
};

/**
 * A deployment of an agent server. Its id and revision are in state as soon as the platform has accepted it; its child
 * `rollout` waits until the revision is DEPLOYED. To wait, a dependent uses `url`, `activeRevisionId` or `deployed`, or
 * `dependsOn: deployment.rollout`: depending on the deployment alone does not wait.
 */
export class Deployment extends pulumi.CustomResource {
  declare readonly name: pulumi.Output<string>;
  declare readonly source: pulumi.Output<string>;
  declare readonly sourceConfig: pulumi.Output<pulumi.Unwrap<SourceConfigArgs> | undefined>;
  declare readonly sourceRevisionConfig: pulumi.Output<pulumi.Unwrap<SourceRevisionConfigArgs> | undefined>;
  declare readonly environmentVariables: pulumi.Output<Record<string, string> | undefined>;
  /** The declared secrets, as a secret output. */
  declare readonly secrets: pulumi.Output<Record<string, string> | undefined>;
  declare readonly secretReferences: pulumi.Output<pulumi.Unwrap<SecretReferenceArgs>[] | undefined>;
  declare readonly displayName: pulumi.Output<string | undefined>;
  /** The revision that the last request made; while the platform has not named it, null or, after an update, "after <the one before>". Not waited for. */
  declare readonly latestRevisionId: pulumi.Output<string | null>;
  /** The tenant (workspace) that it is in; null where the platform does not say. */
  declare readonly tenantId: pulumi.Output<string | null>;
  /** When the platform made it (ISO 8601). */
  declare readonly createdAt: pulumi.Output<string | null>;

  /** The wait; undefined with `awaitRollout: false` and for `Deployment.get`. */
  readonly rollout: Rollout | undefined;
  /** Where the agent answers, once it does; null where the platform does not say, or nothing waited. */
  readonly url: pulumi.Output<string | null>;
  /** The revision that serves; null where nothing waited. */
  readonly activeRevisionId: pulumi.Output<string | null>;
  /** True once the revision is DEPLOYED; false where nothing waited. */
  readonly deployed: pulumi.Output<boolean>;

  /** An existing deployment, by its id, read and not managed. Makes no rollout, and shows no variable of the environment. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): Deployment {
    return new Deployment(name, undefined, { ...options, id });
  }

  constructor(name: string, args: DeploymentArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: DeploymentArgs | undefined, options: pulumi.CustomResourceOptions);
  constructor(name: string, args: DeploymentArgs | undefined, options: pulumi.CustomResourceOptions = {}) {
    refuseImport("Deployment", name, options);
    const { awaitRollout = true, rolloutTimeout, ...declared } = args ?? {};
    const inputs = args && { ...declared, name: args.name ?? name, secrets: secret(args.secrets) };
    super(TYPE, name, registered("Deployment", inputs, PROPERTIES), deletingBeforeReplace(options, ["secrets"]));
    knowAbsent(this, inputs, PROPERTIES);
    warnOfIgnored(this, `Deployment "${name}"`, options, ["create"]);
    this.rollout =
      args && awaitRollout
        ? new Rollout(
            name,
            {
              deploymentId: this.id,
              revisionId: this.latestRevisionId,
              deploymentName: inputs?.name,
              followsPushes: pulumi.output(args.sourceConfig).apply((config) => config?.buildOnPush ?? false),
              rolloutTimeout: rolloutTimeout ?? options.customTimeouts?.create,
            },
            { parent: this },
          )
        : undefined;
    this.url = this.rollout?.url ?? pulumi.output(null);
    this.activeRevisionId = this.rollout?.activeRevisionId ?? pulumi.output(null);
    this.deployed = this.rollout?.activeRevisionId.apply((revision) => revision !== null) ?? pulumi.output(false);
  }
}
