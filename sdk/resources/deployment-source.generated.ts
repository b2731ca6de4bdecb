// Generated from provider/resources/deployment/sources.ts by `npm run generate`: do not edit.
// Interfaces, because the compiler's messages show their names, but what an alias stands for.
import type * as pulumi from "@pulumi/pulumi";
import type { SourceConfigArgs, SourceRevisionConfigArgs } from "./deployment.generated";

/** A source that is known here. */
type KnownSource = "github" | "external_docker" | "internal_docker" | "internal_source" | "internal_template";

/** A source: one that is known here, or any other text. */
export type DeploymentSource =
  "github" | "external_docker" | "internal_docker" | "internal_source" | "internal_template" | (string & {});

/** `sourceConfig` with source "github". */
export interface GithubSourceConfigArgs extends Omit<
  SourceConfigArgs,
  "customUrl" | "resourceSpec" | "listenerId" | "listenerConfig" | "integrationId" | "repoUrl" | "deploymentType"
> {
  /**
   * The GitHub integration that can read the repository. Needed by "github". Refused by "external_docker". Changing this replaces the
   * resource.
   */
  integrationId: pulumi.Input<string>;
  /** The repository's URL. Needed by "github". Refused by "external_docker". Changing this replaces the resource. */
  repoUrl: pulumi.Input<string>;
  /**
   * "dev_free", "dev_zero", "dev" or "prod". Or the deploy CLI's words: "serverless" is "dev_zero", "dedicated" is "prod". Needed by
   * "github", "internal_docker", "internal_source" and "internal_template". Refused by "external_docker". Changing this replaces the
   * resource.
   */
  deploymentType: pulumi.Input<"dev_free" | "dev_zero" | "dev" | "prod" | (string & {})>;
}

/** `sourceConfig` with source "external_docker". */
export interface ExternalDockerSourceConfigArgs extends Omit<
  SourceConfigArgs,
  "integrationId" | "repoUrl" | "deploymentType" | "buildOnPush"
> {}

/** `sourceConfig` with source "internal_docker". */
export interface InternalDockerSourceConfigArgs extends Omit<
  SourceConfigArgs,
  "buildOnPush" | "resourceSpec" | "deploymentType"
> {
  /**
   * "dev_free", "dev_zero", "dev" or "prod". Or the deploy CLI's words: "serverless" is "dev_zero", "dedicated" is "prod". Needed by
   * "github", "internal_docker", "internal_source" and "internal_template". Refused by "external_docker". Changing this replaces the
   * resource.
   */
  deploymentType: pulumi.Input<"dev_free" | "dev_zero" | "dev" | "prod" | (string & {})>;
}

/** `sourceConfig` with source "internal_source". */
export interface InternalSourceSourceConfigArgs extends Omit<
  SourceConfigArgs,
  "buildOnPush" | "resourceSpec" | "deploymentType"
> {
  /**
   * "dev_free", "dev_zero", "dev" or "prod". Or the deploy CLI's words: "serverless" is "dev_zero", "dedicated" is "prod". Needed by
   * "github", "internal_docker", "internal_source" and "internal_template". Refused by "external_docker". Changing this replaces the
   * resource.
   */
  deploymentType: pulumi.Input<"dev_free" | "dev_zero" | "dev" | "prod" | (string & {})>;
}

/** `sourceConfig` with source "internal_template". */
export interface InternalTemplateSourceConfigArgs extends Omit<
  SourceConfigArgs,
  "resourceSpec" | "deploymentType" | "templateId"
> {
  /**
   * "dev_free", "dev_zero", "dev" or "prod". Or the deploy CLI's words: "serverless" is "dev_zero", "dedicated" is "prod". Needed by
   * "github", "internal_docker", "internal_source" and "internal_template". Refused by "external_docker". Changing this replaces the
   * resource.
   */
  deploymentType: pulumi.Input<"dev_free" | "dev_zero" | "dev" | "prod" | (string & {})>;
  /** The template from which the deployment is created. Needed by "internal_template". Changing this replaces the resource. */
  templateId: pulumi.Input<string>;
}

interface SourceConfigBySource {
  github: GithubSourceConfigArgs;
  external_docker: ExternalDockerSourceConfigArgs;
  internal_docker: InternalDockerSourceConfigArgs;
  internal_source: InternalSourceSourceConfigArgs;
  internal_template: InternalTemplateSourceConfigArgs;
}

/** `sourceConfig` with this source: whole where that is not known. */
type SourceConfigFor<Source> = Source extends keyof SourceConfigBySource
  ? SourceConfigBySource[Source]
  : SourceConfigArgs;

/** `sourceRevisionConfig` with source "github". */
export interface GithubSourceRevisionConfigArgs extends Omit<
  SourceRevisionConfigArgs,
  "imageUri" | "repoRef" | "langgraphConfigPath"
> {
  /** A branch, or "refs/tags/...". Needed by "github". Refused by "external_docker", "internal_docker" and "internal_source". */
  repoRef: pulumi.Input<string>;
  /**
   * Path of the graph configuration in the repository. Needed by "github". For "internal_docker" and "internal_source": imageUri, or
   * sourceTarballPath with langgraphConfigPath. Refused by "external_docker".
   */
  langgraphConfigPath: pulumi.Input<string>;
}

/** `sourceRevisionConfig` with source "external_docker". */
export interface ExternalDockerSourceRevisionConfigArgs extends Omit<
  SourceRevisionConfigArgs,
  "repoRef" | "langgraphConfigPath" | "imageUri"
> {
  /**
   * The image to run. Needed by "external_docker". For "internal_docker" and "internal_source": imageUri, or sourceTarballPath with
   * langgraphConfigPath. Refused by "github".
   */
  imageUri: pulumi.Input<string>;
}

/** `sourceRevisionConfig` with source "internal_docker". */
export interface InternalDockerSourceRevisionConfigArgs extends Omit<SourceRevisionConfigArgs, "repoRef"> {}

/** `sourceRevisionConfig` with source "internal_source". */
export interface InternalSourceSourceRevisionConfigArgs extends Omit<SourceRevisionConfigArgs, "repoRef"> {}

interface SourceRevisionConfigBySource {
  github: GithubSourceRevisionConfigArgs;
  external_docker: ExternalDockerSourceRevisionConfigArgs;
  internal_docker: InternalDockerSourceRevisionConfigArgs;
  internal_source: InternalSourceSourceRevisionConfigArgs;
}

/** `sourceRevisionConfig` with this source: whole where that is not known. */
type SourceRevisionConfigFor<Source> = Source extends keyof SourceRevisionConfigBySource
  ? SourceRevisionConfigBySource[Source]
  : SourceRevisionConfigArgs;

/** Refuses a text that is no source, and the compiler then names the nearest one; but none that the compiler does not know. */
type SourceInput<Source> = string extends Source
  ? pulumi.Input<Source>
  : Source extends KnownSource
    ? pulumi.Input<Source>
    : KnownSource;

/** The source: the other arguments depend on it. */
interface WithSource<Source> {
  /**
   * Where the code comes from, and so what else is needed or refused: "github", "external_docker", "internal_docker", "internal_source" or
   * "internal_template" (docs/sources.md). Changing this replaces the resource.
   */
  source: SourceInput<Source>;
}

/** `sourceConfig`, as the source takes it. */
interface WithSourceConfig<Source> {
  /** Where the code comes from, and how it runs. */
  sourceConfig: pulumi.Input<SourceConfigFor<Source>>;
}

/** `sourceRevisionConfig`, as the source takes it. */
interface WithSourceRevisionConfig<Source> {
  /** What a revision is built from. */
  sourceRevisionConfig: pulumi.Input<SourceRevisionConfigFor<Source>>;
}

/** The arguments that depend on each other. */
export type SourcedArgs<Source extends DeploymentSource> = WithSource<Source> &
  ([Source] extends ["github" | "internal_docker" | "internal_source" | "internal_template"]
    ? WithSourceConfig<Source>
    : Partial<WithSourceConfig<Source>>) &
  ([Source] extends ["github" | "external_docker"]
    ? WithSourceRevisionConfig<Source>
    : Partial<WithSourceRevisionConfig<Source>>);
