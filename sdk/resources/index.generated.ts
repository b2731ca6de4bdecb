// Generated from the tables of provider/resources by `npm run generate`: do not edit.
export { Assistant, type AssistantArgs } from "./assistant";
export { Cron, type CronArgs } from "./cron";
export { Deployment, type DeploymentArgs } from "./deployment";
export type {
  DeploymentAgentArgs,
  DeploymentResourceSpecArgs,
  SecretReferenceArgs,
  SourceConfigArgs,
  SourceRevisionConfigArgs,
} from "./deployment.generated";
export { Listener, type ComputeConfigArgs, type ListenerArgs } from "./listener.generated";
export { OAuthProvider, type OAuthProviderArgs } from "./oauth-provider.generated";
export { PlatformAgent, type PlatformAgentArgs } from "./platform-agent.generated";
export { Rollout } from "./rollout";
export type { RolloutArgs } from "./rollout.generated";
export { RunCheck, type RunCheckArgs } from "./run-check";
export type { ExpectationsArgs, ExpectedValueArgs } from "./run-check.generated";
export { SandboxRegistry, type SandboxRegistryArgs } from "./sandbox-registry.generated";
export { SandboxSnapshot, type SandboxRunConfigArgs, type SandboxSnapshotArgs } from "./sandbox-snapshot.generated";
export {
  SandboxTemplate,
  type ProxyConfigArgs,
  type ProxyRuleArgs,
  type ResourceSpecArgs,
  type SandboxTemplateArgs,
  type VolumeMountArgs,
} from "./sandbox-template.generated";
export { SandboxVolume, type SandboxVolumeArgs } from "./sandbox-volume.generated";
export { WorkspaceSecret, type AllowedHostArgs, type WorkspaceSecretArgs } from "./workspace-secret.generated";
