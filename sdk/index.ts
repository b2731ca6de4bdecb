export { Agent, type AgentArgs } from "./components/agent";
export {
  AgentEnvironment,
  type AgentEnvironmentArgs,
  type EnvironmentParts,
  type EnvironmentRegionArgs,
} from "./components/agent-environment";
export * from "./functions/github-integration";
export * from "./functions/index.generated";
export type {
  FunctionOptions,
  ListArgs,
  ListArgs as ListSandboxTemplatesArgs,
  ListOutputArgs,
  ListOutputArgs as ListSandboxTemplatesOutputArgs,
} from "./functions/options";
export * from "./functions/revision";
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
