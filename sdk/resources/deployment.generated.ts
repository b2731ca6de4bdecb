// Generated from provider/resources/deployment/fields.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** Resources of the agent server. A key that is no longer declared keeps its value on the platform. */
export interface DeploymentResourceSpecArgs {
  /** Minimum number of instances. */
  minScale?: pulumi.Input<number>;
  /** Maximum number of instances. */
  maxScale?: pulumi.Input<number>;
  /** CPUs per instance, 0.1 to 8. Once removed, it keeps its value on the platform. */
  cpu?: pulumi.Input<number>;
  /** CPU limit per instance, 0.1 to 16. Defaults to twice `cpu`. Once removed, it keeps its value on the platform. */
  cpuLimit?: pulumi.Input<number>;
  /** Memory per instance, in MB. */
  memoryMb?: pulumi.Input<number>;
  /** Memory limit per instance, in MB. */
  memoryLimitMb?: pulumi.Input<number>;
  /** Minimum number of queue workers. Defaults to `minScale`. */
  queueMinScale?: pulumi.Input<number>;
  /** Maximum number of queue workers. Defaults to `maxScale`. */
  queueMaxScale?: pulumi.Input<number>;
  /** CPUs per queue worker, 0.1 to 8. Defaults to `cpu`. Once removed, it keeps its value on the platform. */
  queueCpu?: pulumi.Input<number>;
  /** CPU limit per queue worker, 0.1 to 16. Defaults to `cpuLimit`. Once removed, it keeps its value on the platform. */
  queueCpuLimit?: pulumi.Input<number>;
  /** Memory per queue worker, in MB. Defaults to `memoryMb`. */
  queueMemoryMb?: pulumi.Input<number>;
  /** Memory limit per queue worker, in MB. Defaults to `memoryLimitMb`. */
  queueMemoryLimitMb?: pulumi.Input<number>;
  /** CPUs of Redis, 0.1 to 8. Once removed, it keeps its value on the platform. */
  redisCpu?: pulumi.Input<number>;
  /** CPU limit of Redis, 0.1 to 16. Once removed, it keeps its value on the platform. */
  redisCpuLimit?: pulumi.Input<number>;
  /** Memory of Redis, in MB. */
  redisMemoryMb?: pulumi.Input<number>;
  /** Memory limit of Redis, in MB. */
  redisMemoryLimitMb?: pulumi.Input<number>;
  /** CPUs of the database, 0.1 to 8. Once removed, it keeps its value on the platform. */
  dbCpu?: pulumi.Input<number>;
  /** CPU limit of the database, 0.1 to 16. Once removed, it keeps its value on the platform. */
  dbCpuLimit?: pulumi.Input<number>;
  /** Memory of the database, in MB. */
  dbMemoryMb?: pulumi.Input<number>;
  /** Memory limit of the database, in MB. */
  dbMemoryLimitMb?: pulumi.Input<number>;
  /** Storage of the database, in GiB. */
  dbStorageGi?: pulumi.Input<number>;
  /** Maximum number of connections to the database. */
  dbMaxConnections?: pulumi.Input<number>;
  /** Labels of the instances. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Annotations of the instances. */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** The service account that the instances run as. */
  serviceAccountName?: pulumi.Input<string>;
  /** Secrets of the cluster with which images are pulled. */
  imagePullSecrets?: pulumi.Input<pulumi.Input<{ name: pulumi.Input<string> }>[]>;
  /** Volumes of the pods, in the form of Kubernetes. Once removed, it keeps its value on the platform. */
  volumes?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Mounts of those volumes, in the form of Kubernetes. Once removed, it keeps its value on the platform. */
  volumeMounts?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Containers that run before the agent server, in the form of Kubernetes. Once removed, it keeps its value on the platform. */
  initContainers?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Containers beside the agent server, in the form of Kubernetes. Once removed, it keeps its value on the platform. */
  sidecars?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
}

/** Where the code comes from, and how it runs. */
export interface SourceConfigArgs {
  /** The integration that reads the repository. Needed by "github". Refused by "external_docker". Changing this replaces the resource. */
  integrationId?: pulumi.Input<string>;
  /** The repository's URL. Needed by "github". Refused by "external_docker". Changing this replaces the resource. */
  repoUrl?: pulumi.Input<string>;
  /**
   * "dev_free", "dev_zero", "dev" or "prod". Needed by "github", "internal_docker", "internal_source" and "internal_template". Refused by
   * "external_docker". Changing this replaces the resource.
   */
  deploymentType?: pulumi.Input<"dev_free" | "dev_zero" | "dev" | "prod" | (string & {})>;
  /**
   * Whether a push makes a revision. A tag cannot be built on push. Refused by "external_docker", "internal_docker" and "internal_source".
   * A change makes no new revision. @default false
   */
  buildOnPush?: pulumi.Input<boolean>;
  /**
   * The deployment's own address: a host ("a.example.com") or a URL. Refused by "github". A change makes no new revision. Once set, it can
   * be changed, but not removed.
   */
  customUrl?: pulumi.Input<string>;
  /** Resources of the agent server. Refused by "github", "internal_docker", "internal_source" and "internal_template". */
  resourceSpec?: pulumi.Input<DeploymentResourceSpecArgs>;
  /** The listener that runs it. Refused by "github". Changing this replaces the resource. */
  listenerId?: pulumi.Input<string>;
  /**
   * How the listener runs it. Refused by "github". Changing this replaces the resource. Never returned by the platform: no drift is seen.
   */
  listenerConfig?: pulumi.Input<{ k8sNamespace?: pulumi.Input<string> }>;
  /** The command that installs what the code needs. Once set, it can be changed, but not removed. */
  installCommand?: pulumi.Input<string>;
  /** The command that builds the code. Once set, it can be changed, but not removed. */
  buildCommand?: pulumi.Input<string>;
  /** The template that it is created from. Needed by "internal_template". Changing this replaces the resource. */
  templateId?: pulumi.Input<string>;
}

/** What each revision is made of. */
export interface SourceRevisionConfigArgs {
  /** A branch, or "refs/tags/...". Needed by "github". Refused by "external_docker", "internal_docker" and "internal_source". */
  repoRef?: pulumi.Input<string>;
  /**
   * Path of the graph configuration in the repository. Needed by "github". For "internal_docker" and "internal_source": imageUri, or
   * sourceTarballPath with langgraphConfigPath. Refused by "external_docker".
   */
  langgraphConfigPath?: pulumi.Input<string>;
  /**
   * The image to run. Needed by "external_docker". For "internal_docker" and "internal_source": imageUri, or sourceTarballPath with
   * langgraphConfigPath. Refused by "github".
   */
  imageUri?: pulumi.Input<string>;
  /**
   * Path of the uploaded code on the platform. For "internal_docker" and "internal_source": imageUri, or sourceTarballPath with
   * langgraphConfigPath.
   */
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
  /**
   * Where the code comes from: "github", "external_docker", "internal_docker", "internal_source" or "internal_template" (docs/sources.md).
   * Changing this replaces the resource.
   */
  source: pulumi.Input<
    "github" | "external_docker" | "internal_docker" | "internal_source" | "internal_template" | (string & {})
  >;
  /** Where the code comes from, and how it runs. */
  sourceConfig?: pulumi.Input<SourceConfigArgs>;
  /** What each revision is made of. */
  sourceRevisionConfig?: pulumi.Input<SourceRevisionConfigArgs>;
  /**
   * Plain variables of the environment. With `secrets` they are the whole environment: a variable set elsewhere is removed. Where neither
   * is declared, the environment is left as it is.
   */
  environmentVariables?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Secret variables of the environment. Encrypted in state as a whole, never shown. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Variables whose values come from secrets on the platform. Refused by "github", "internal_docker" and "internal_source". */
  secretReferences?: pulumi.Input<pulumi.Input<SecretReferenceArgs>[]>;
  /** Name for people. A change makes no new revision. Once set, it can be changed, but not removed. */
  displayName?: pulumi.Input<string>;
  /**
   * Fields of the platform that this version does not know, in the platform's own names, merged into requests as given. Not for secrets.
   */
  extra?: pulumi.Input<Record<string, unknown>>;
  /** Any value; a change requests a new revision of the same configuration, to retry a transient failure. */
  redeployTrigger?: pulumi.Input<unknown>;
  /**
   * Whether a delete, also that of a replacement, deletes the tracing project with all its traces. A change of it makes no revision.
   * @default false
   */
  deleteTracingProject?: pulumi.Input<boolean>;
  /**
   * Take over an existing object instead of failing: `true` for the one with this name (created if there is none), or its id. It is made
   * equal to the declaration; a difference that cannot be changed in place is an error. Can be removed later. @default false
   */
  adopt?: pulumi.Input<boolean | string>;
}
