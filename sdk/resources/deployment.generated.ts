// Generated from provider/resources/deployment/fields.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** Resources of the agent server. A key that is no longer declared keeps its value on the platform. */
export interface DeploymentResourceSpecArgs {
  /** Minimum number of instances. */
  minScale?: pulumi.Input<number>;
  /** Maximum number of instances. */
  maxScale?: pulumi.Input<number>;
  /** CPUs per instance. */
  cpu?: pulumi.Input<number>;
  /** CPU limit per instance. */
  cpuLimit?: pulumi.Input<number>;
  /** Memory per instance, in MB. */
  memoryMb?: pulumi.Input<number>;
  /** Memory limit per instance, in MB. */
  memoryLimitMb?: pulumi.Input<number>;
  /** Labels of the instances. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Annotations of the instances. */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** The service account that the instances run as. */
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
  /** Whether a push makes a revision. A change makes no new revision. @default false */
  buildOnPush?: pulumi.Input<boolean>;
  /** The deployment's own URL. A change makes no new revision. Once set, it can be changed, but not removed. */
  customUrl?: pulumi.Input<string>;
  /** Resources of the agent server. */
  resourceSpec?: pulumi.Input<DeploymentResourceSpecArgs>;
  /** The listener that runs it. Changing this replaces the resource. */
  listenerId?: pulumi.Input<string>;
  /** How the listener runs it. Changing this replaces the resource. Never returned by the platform: no drift is seen. */
  listenerConfig?: pulumi.Input<{ k8sNamespace?: pulumi.Input<string> }>;
  /** The command that installs what the code needs. Once set, it can be changed, but not removed. */
  installCommand?: pulumi.Input<string>;
  /** The command that builds the code. Once set, it can be changed, but not removed. */
  buildCommand?: pulumi.Input<string>;
  /** The template that it is created from. Changing this replaces the resource. */
  templateId?: pulumi.Input<string>;
}

/** What each revision is made of. */
export interface SourceRevisionConfigArgs {
  /** A branch, or "refs/tags/...". */
  repoRef?: pulumi.Input<string>;
  /** Path of the graph configuration in the repository. */
  langgraphConfigPath?: pulumi.Input<string>;
  /** The image to run. */
  imageUri?: pulumi.Input<string>;
  /** Path of the uploaded code on the platform. */
  sourceTarballPath?: pulumi.Input<string>;
}

/** A variable whose value comes from a secret on the platform. */
export interface SecretReferenceArgs {
  /** The variable's name. */
  name: pulumi.Input<string>;
  /** The name of the platform's secret. */
  secretName: pulumi.Input<string>;
  /** The key in that secret. */
  secretKey: pulumi.Input<string>;
}

/**
 * Arguments of a {@link Deployment} (docs/platform.md, Deployments). Unless it says otherwise, a change is an update that makes a new
 * revision.
 */
export interface DeclaredDeploymentArgs {
  /** Unique in the tenant. Changing this replaces the resource. @default the Pulumi name */
  name?: pulumi.Input<string>;
  /** "github", "external_docker", "internal_docker", "internal_source", "internal_template" ... Changing this replaces the resource. */
  source: pulumi.Input<string>;
  /** Where the code comes from, and how it runs. */
  sourceConfig?: pulumi.Input<SourceConfigArgs>;
  /** What each revision is made of. */
  sourceRevisionConfig?: pulumi.Input<SourceRevisionConfigArgs>;
  /** Plain variables of the environment. With `secrets` they are the whole environment: a variable set elsewhere is removed. */
  environmentVariables?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Secret variables of the environment. Encrypted in state as a whole, never shown. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Variables whose values come from secrets on the platform. */
  secretReferences?: pulumi.Input<pulumi.Input<SecretReferenceArgs>[]>;
  /** Name for people. A change makes no new revision. Once set, it can be changed, but not removed. */
  displayName?: pulumi.Input<string>;
  /**
   * Fields of the platform that this version does not know, in the platform's own names, merged into every request as given. Not for
   * secrets.
   */
  extra?: pulumi.Input<Record<string, unknown>>;
  /** Any value; a change requests a new revision of the same configuration, to retry a transient failure. */
  redeployTrigger?: pulumi.Input<unknown>;
  /**
   * Take over an existing object instead of failing: `true` for the one with this name (created if there is none), or its id. It is made
   * equal to the declaration; a difference that cannot be changed in place is an error. Can be removed later. @default false
   */
  adopt?: pulumi.Input<boolean | string>;
}
