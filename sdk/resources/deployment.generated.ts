// Generated from the table of Deployment by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** An environment of an agent of the platform. */
export interface DeploymentAgentArgs {
  /** The `agentId` of a `PlatformAgent`. */
  agentId: pulumi.Input<string>;
  /** Its environment. */
  environment: pulumi.Input<"development" | "staging" | "production">;
}

/**
 * Resources of the agent server, and with a prefix those of its queue workers (default: the server's), orchestrators, executors, Redis and
 * database. If you remove a key, it keeps its value on the platform.
 */
export interface DeploymentResourceSpecArgs {
  /** The fewest instances. */
  minScale?: pulumi.Input<number>;
  /** The most instances. */
  maxScale?: pulumi.Input<number>;
  /** CPUs of an instance, 0.1 to 8. Once removed, it keeps its value on the platform. */
  cpu?: pulumi.Input<number>;
  /** The limit of its CPUs (for `cpuLimit`, twice `cpu` by default), 0.1 to 16. Once removed, it keeps its value on the platform. */
  cpuLimit?: pulumi.Input<number>;
  /** Memory of an instance, in MB. */
  memoryMb?: pulumi.Input<number>;
  /** The limit of its memory, in MB. */
  memoryLimitMb?: pulumi.Input<number>;
  /** The fewest instances. */
  queueMinScale?: pulumi.Input<number>;
  /** The most instances. */
  queueMaxScale?: pulumi.Input<number>;
  /** CPUs of an instance, 0.1 to 8. Once removed, it keeps its value on the platform. */
  queueCpu?: pulumi.Input<number>;
  /** The limit of its CPUs (for `cpuLimit`, twice `cpu` by default), 0.1 to 16. Once removed, it keeps its value on the platform. */
  queueCpuLimit?: pulumi.Input<number>;
  /** Memory of an instance, in MB. */
  queueMemoryMb?: pulumi.Input<number>;
  /** The limit of its memory, in MB. */
  queueMemoryLimitMb?: pulumi.Input<number>;
  /** The fewest instances. */
  orchestratorMinScale?: pulumi.Input<number>;
  /** The most instances. */
  orchestratorMaxScale?: pulumi.Input<number>;
  /** CPUs of an instance, 0.1 to 8. Once removed, it keeps its value on the platform. */
  orchestratorCpu?: pulumi.Input<number>;
  /** The limit of its CPUs (for `cpuLimit`, twice `cpu` by default), 0.1 to 16. Once removed, it keeps its value on the platform. */
  orchestratorCpuLimit?: pulumi.Input<number>;
  /** Memory of an instance, in MB. */
  orchestratorMemoryMb?: pulumi.Input<number>;
  /** The limit of its memory, in MB. */
  orchestratorMemoryLimitMb?: pulumi.Input<number>;
  /** CPUs of an instance, 0.1 to 8. Once removed, it keeps its value on the platform. */
  executorCpu?: pulumi.Input<number>;
  /** The limit of its CPUs (for `cpuLimit`, twice `cpu` by default), 0.1 to 16. Once removed, it keeps its value on the platform. */
  executorCpuLimit?: pulumi.Input<number>;
  /** Memory of an instance, in MB. */
  executorMemoryMb?: pulumi.Input<number>;
  /** The limit of its memory, in MB. */
  executorMemoryLimitMb?: pulumi.Input<number>;
  /** CPUs of an instance, 0.1 to 8. Once removed, it keeps its value on the platform. */
  redisCpu?: pulumi.Input<number>;
  /** The limit of its CPUs (for `cpuLimit`, twice `cpu` by default), 0.1 to 16. Once removed, it keeps its value on the platform. */
  redisCpuLimit?: pulumi.Input<number>;
  /** Memory of an instance, in MB. */
  redisMemoryMb?: pulumi.Input<number>;
  /** The limit of its memory, in MB. */
  redisMemoryLimitMb?: pulumi.Input<number>;
  /** CPUs of an instance, 0.1 to 8. Once removed, it keeps its value on the platform. */
  dbCpu?: pulumi.Input<number>;
  /** The limit of its CPUs (for `cpuLimit`, twice `cpu` by default), 0.1 to 16. Once removed, it keeps its value on the platform. */
  dbCpuLimit?: pulumi.Input<number>;
  /** Memory of an instance, in MB. */
  dbMemoryMb?: pulumi.Input<number>;
  /** The limit of its memory, in MB. */
  dbMemoryLimitMb?: pulumi.Input<number>;
  /** Storage of the database, in GiB. */
  dbStorageGi?: pulumi.Input<number>;
  /** The most connections to the database. */
  dbMaxConnections?: pulumi.Input<number>;
  /** Labels of the instances. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Annotations of the instances. */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** The service account that the instances run as. */
  serviceAccountName?: pulumi.Input<string>;
  /** Secrets of the cluster for pulling images. Once removed, it keeps its value on the platform. */
  imagePullSecrets?: pulumi.Input<pulumi.Input<{ name: pulumi.Input<string> }>[]>;
  /** Volumes of the pods and their mounts, as in Kubernetes. Once removed, it keeps its value on the platform. */
  volumes?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Volumes of the pods and their mounts, as in Kubernetes. Once removed, it keeps its value on the platform. */
  volumeMounts?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Containers that run before the agent server, as in Kubernetes. Once removed, it keeps its value on the platform. */
  initContainers?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /** Containers that run beside the agent server, as in Kubernetes. Once removed, it keeps its value on the platform. */
  sidecars?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
}

/** Where the code comes from, and how it runs. */
export interface SourceConfigArgs {
  /**
   * The GitHub integration that can read the repository. Needed by "github". Refused by "external_docker". Changing this replaces the
   * resource.
   */
  integrationId?: pulumi.Input<string>;
  /** The repository's URL. Needed by "github". Refused by "external_docker". Changing this replaces the resource. */
  repoUrl?: pulumi.Input<string>;
  /**
   * "dev_free", "dev_zero", "dev" or "prod". Or the deploy CLI's words: "serverless" is "dev_zero", "dedicated" is "prod". Needed by
   * "github", "internal_docker", "internal_source" and "internal_template". Refused by "external_docker". Changing this replaces the
   * resource.
   */
  deploymentType?: pulumi.Input<"dev_free" | "dev_zero" | "dev" | "prod" | (string & {})>;
  /**
   * Whether each push to the branch makes a new revision. Not possible for a tag. Refused by "external_docker", "internal_docker" and
   * "internal_source". A change makes no new revision. @default false
   */
  buildOnPush?: pulumi.Input<boolean>;
  /**
   * A custom address for the deployment: a host ("a.example.com") or a URL. Refused by "github". A change makes no new revision. Once set,
   * it can be changed, but not removed.
   */
  customUrl?: pulumi.Input<string>;
  /**
   * Resources of the agent server; with a prefix those of its `queue` workers (default: the server's), `orchestrator`, `executor`, `redis`
   * and `db`. Refused by "github", "internal_docker", "internal_source" and "internal_template".
   */
  resourceSpec?: pulumi.Input<DeploymentResourceSpecArgs>;
  /** The id of the listener that runs the deployment. Refused by "github". Changing this replaces the resource. */
  listenerId?: pulumi.Input<string>;
  /**
   * How the listener runs the deployment. Refused by "github". Changing this replaces the resource. The platform never returns it, so drift
   * is not detected.
   */
  listenerConfig?: pulumi.Input<{ k8sNamespace?: pulumi.Input<string> }>;
  /** The command that installs the dependencies of the code. Once set, it can be changed, but not removed. */
  installCommand?: pulumi.Input<string>;
  /** The command that builds the code. Once set, it can be changed, but not removed. */
  buildCommand?: pulumi.Input<string>;
  /** The template from which the deployment is created. Needed by "internal_template". Changing this replaces the resource. */
  templateId?: pulumi.Input<string>;
}

/** What a revision is built from. */
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
 * Arguments of a {@link Deployment} (docs/internals/platform.md, Deployments). Unless an argument says otherwise, changing it makes a new
 * revision.
 */
export interface DeclaredDeploymentArgs {
  /** Unique in the tenant. With `agent`, the platform gives it. Changing this replaces the resource. @default the Pulumi name */
  name?: pulumi.Input<string>;
  /**
   * The agent of the platform that it runs, and in which environment, instead of `name`: one has one deployment in each. Needs contract
   * "extended". Changing this replaces the resource.
   */
  agent?: pulumi.Input<DeploymentAgentArgs>;
  /**
   * Where the code comes from, and so what else is needed or refused: "github", "external_docker", "internal_docker", "internal_source" or
   * "internal_template" (docs/sources.md). Changing this replaces the resource.
   */
  source: pulumi.Input<
    "github" | "external_docker" | "internal_docker" | "internal_source" | "internal_template" | (string & {})
  >;
  /** Where the code comes from, and how it runs. */
  sourceConfig?: pulumi.Input<SourceConfigArgs>;
  /** What a revision is built from. */
  sourceRevisionConfig?: pulumi.Input<SourceRevisionConfigArgs>;
  /**
   * Plain environment variables. With `secrets`, they are the whole environment: a variable set elsewhere is removed. If you declare
   * neither, the environment stays as it is.
   */
  environmentVariables?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Secret environment variables. Encrypted in state as a whole, never shown. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Variables whose values come from secrets on the platform. Refused by "github", "internal_docker" and "internal_source". */
  secretReferences?: pulumi.Input<pulumi.Input<SecretReferenceArgs>[]>;
  /** A name for people to read. A change makes no new revision. Once set, it can be changed, but not removed. */
  displayName?: pulumi.Input<string>;
  /** Fields of the platform that this version does not know, sent as they are. Not for secrets. */
  extra?: pulumi.Input<Record<string, unknown>>;
  /**
   * Any value: a change makes a new revision of the same configuration, with the declared environment, for example after a transient
   * failure.
   */
  redeployTrigger?: pulumi.Input<unknown>;
  /** Whether deleting or replacing the deployment also deletes its tracing project with all traces. @default false */
  deleteTracingProject?: pulumi.Input<boolean>;
  /**
   * Whether a `Rollout` should wait until the revision is DEPLOYED. Where the program declares none, `pulumi up` warns, unless this is
   * false. @default true
   */
  awaitRollout?: pulumi.Input<boolean>;
  /** Take over the existing object with this name (`true`) or id, and make it as declared (docs/adopting.md). @default false */
  adopt?: pulumi.Input<boolean | string>;
}

/** The properties of a {@link Deployment}. */
export interface DeploymentOutputs {
  /** Unique in the tenant. With `agent`, the platform gives it. */
  readonly name: pulumi.Output<string>;
  /**
   * The agent of the platform that it runs, and in which environment, instead of `name`: one has one deployment in each. Needs contract
   * "extended".
   */
  readonly agent: pulumi.Output<pulumi.Unwrap<DeploymentAgentArgs> | undefined>;
  /**
   * Where the code comes from, and so what else is needed or refused: "github", "external_docker", "internal_docker", "internal_source" or
   * "internal_template" (docs/sources.md).
   */
  readonly source: pulumi.Output<string>;
  /** Where the code comes from, and how it runs. */
  readonly sourceConfig: pulumi.Output<pulumi.Unwrap<SourceConfigArgs> | undefined>;
  /** What a revision is built from. */
  readonly sourceRevisionConfig: pulumi.Output<pulumi.Unwrap<SourceRevisionConfigArgs> | undefined>;
  /**
   * Plain environment variables. With `secrets`, they are the whole environment: a variable set elsewhere is removed. If you declare
   * neither, the environment stays as it is.
   */
  readonly environmentVariables: pulumi.Output<Record<string, string> | undefined>;
  /** Secret environment variables. */
  readonly secrets: pulumi.Output<Record<string, string> | undefined>;
  /** Variables whose values come from secrets on the platform. Refused by "github", "internal_docker" and "internal_source". */
  readonly secretReferences: pulumi.Output<pulumi.Unwrap<SecretReferenceArgs>[] | undefined>;
  /** A name for people to read. */
  readonly displayName: pulumi.Output<string | undefined>;
  /**
   * The revision that the last request made; until the platform names it, null, or after an update "after <the previous one>". Nothing
   * waits for it.
   */
  readonly latestRevisionId: pulumi.Output<string | null>;
  /** The revision with which this program last changed `secrets`, in the form of `latestRevisionId`; empty if none is known. */
  readonly secretsRevisionId: pulumi.Output<string | null>;
  /** The tenant (workspace) of the deployment; null if the platform does not say. */
  readonly tenantId: pulumi.Output<string | null>;
  /** When the platform created it. */
  readonly createdAt: pulumi.Output<string | null>;
}
