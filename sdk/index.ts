export { Platform, type PlatformArgs } from "./platform";
export {
  Deployment,
  type DeploymentArgs,
  type DeploymentResourceSpecArgs,
  type SecretReferenceArgs,
  type SourceConfigArgs,
  type SourceRevisionConfigArgs,
} from "./resources/deployment";
export { OAuthProvider, type OAuthProviderArgs } from "./resources/oauth-provider";
export { Rollout, type RolloutArgs } from "./resources/rollout";
export {
  SandboxTemplate,
  type ProxyConfigArgs,
  type ProxyRuleArgs,
  type ResourceSpecArgs,
  type SandboxTemplateArgs,
  type VolumeMountArgs,
} from "./resources/sandbox-template";
