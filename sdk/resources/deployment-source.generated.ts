// Generated from provider/resources/deployment/sources.ts by `npm run generate`: do not edit.
/* eslint-disable @typescript-eslint/no-empty-object-type -- the compiler's messages show the name of an interface, but what an alias stands for */
import type * as pulumi from "@pulumi/pulumi";
import type { SourceConfigArgs, SourceRevisionConfigArgs } from "./deployment.generated";

/** A source: one that is known here, or any other text. */
export type DeploymentSource =
  "github" | "external_docker" | "internal_docker" | "internal_source" | "internal_template" | (string & {});

/** `sourceConfig` with source "github". */
export interface GithubSourceConfigArgs extends Omit<
  SourceConfigArgs,
  "customUrl" | "resourceSpec" | "listenerId" | "listenerConfig"
> {}

/** `sourceConfig` with source "external_docker". */
export interface ExternalDockerSourceConfigArgs extends Omit<
  SourceConfigArgs,
  "integrationId" | "repoUrl" | "deploymentType" | "buildOnPush"
> {}

/** `sourceConfig` with source "internal_docker". */
export interface InternalDockerSourceConfigArgs extends Omit<SourceConfigArgs, "buildOnPush" | "resourceSpec"> {}

/** `sourceConfig` with source "internal_source". */
export interface InternalSourceSourceConfigArgs extends Omit<SourceConfigArgs, "buildOnPush" | "resourceSpec"> {}

/** `sourceConfig` with source "internal_template". */
export interface InternalTemplateSourceConfigArgs extends Omit<SourceConfigArgs, "resourceSpec"> {}

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
export interface GithubSourceRevisionConfigArgs extends Omit<SourceRevisionConfigArgs, "imageUri"> {}

/** `sourceRevisionConfig` with source "external_docker". */
export interface ExternalDockerSourceRevisionConfigArgs extends Omit<
  SourceRevisionConfigArgs,
  "repoRef" | "langgraphConfigPath"
> {}

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

/** The arguments that depend on each other. */
export interface SourcedArgs<Source extends DeploymentSource> {
  /**
   * Where the code comes from: "github", "external_docker", "internal_docker", "internal_source" or "internal_template" (docs/sources.md).
   * Changing this replaces the resource.
   */
  source: pulumi.Input<Source>;
  /** Where the code comes from, and how it runs. */
  sourceConfig?: pulumi.Input<SourceConfigFor<Source>>;
  /** What a revision is built from. */
  sourceRevisionConfig?: pulumi.Input<SourceRevisionConfigFor<Source>>;
}
