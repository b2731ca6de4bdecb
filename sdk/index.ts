export {
  AgentEnvironment,
  type AgentArgs,
  type AgentEnvironmentArgs,
  type EnvironmentParts,
  type EnvironmentRegionArgs,
} from "./components/agent-environment";
export {
  getDeployment,
  getDeploymentOutput,
  listDeployments,
  listDeploymentsOutput,
  type GetDeploymentArgs,
  type GetDeploymentOutputArgs,
  type GetDeploymentResult,
} from "./functions/deployment";
export {
  getGithubIntegration,
  getGithubIntegrationOutput,
  type GetGithubIntegrationArgs,
  type GetGithubIntegrationOutputArgs,
  type GetGithubIntegrationResult,
} from "./functions/github-integration";
export {
  getListener,
  getListenerOutput,
  listListeners,
  listListenersOutput,
  type GetListenerArgs,
  type GetListenerOutputArgs,
  type GetListenerResult,
} from "./functions/listener";
export type { FunctionOptions, ListArgs, ListOutputArgs } from "./functions/options";
export {
  getOAuthProvider,
  getOAuthProviderOutput,
  listOAuthProviders,
  listOAuthProvidersOutput,
  type GetOAuthProviderArgs,
  type GetOAuthProviderOutputArgs,
  type GetOAuthProviderResult,
} from "./functions/oauth-provider";
export {
  getRevision,
  getRevisionOutput,
  listRevisions,
  listRevisionsOutput,
  type GetRevisionArgs,
  type GetRevisionOutputArgs,
  type GetRevisionResult,
  type ListRevisionsArgs,
  type ListRevisionsOutputArgs,
} from "./functions/revision";
export {
  getSandboxTemplate,
  getSandboxTemplateOutput,
  listSandboxTemplates,
  listSandboxTemplatesOutput,
  type GetSandboxTemplateArgs,
  type GetSandboxTemplateOutputArgs,
  type GetSandboxTemplateResult,
  type ListSandboxTemplatesArgs,
  type ListSandboxTemplatesOutputArgs,
} from "./functions/sandbox-template";
export { Platform } from "./platform";
export type { PlatformArgs } from "./platform.generated";
export type { DeploymentArgsFor } from "./resources/deployment";
export type { DeploymentSource } from "./resources/deployment-source.generated";
export * from "./resources/index.generated";
export {
  AgentPlatformError,
  ArgumentError,
  HttpError,
  isArgumentError,
  isHttpError,
  isTransportError,
  TransportError,
} from "../provider/base/errors";
export {
  AgentClient,
  type AgentClientOptions,
  type JoinOptions,
  type RunOptions,
  type Thread,
} from "../provider/streaming/client";
export { RunError, StreamError, type RunIdentity } from "../provider/streaming/errors";
export {
  hasTag,
  isFromNode,
  nodeOf,
  STREAM_MODES,
  textOf,
  type MessageChunk,
  type MessageMetadata,
  type ModeData,
  type ModeEvent,
  type OtherEvent,
  type RunEvent,
  type StreamMode,
} from "../provider/streaming/events";
export type { RunStream } from "../provider/streaming/run-stream";
