// The registry: one line for each resource type of the platform, its RouteFactory (route.ts).
export { deploymentRoutes } from "./deployments";
export { revisionRoutes } from "./revisions";
export { uploadRoutes } from "./uploads";
export { githubIntegrationRoutes } from "./github-integrations";
export { oauthProviderRoutes } from "./oauth-providers";
export { sandboxTemplateRoutes } from "./sandbox-templates";
export { sandboxRegistryRoutes } from "./sandbox-registries";
export { sandboxSnapshotRoutes } from "./sandbox-snapshots";
export { workspaceSecretRoutes } from "./workspace-secrets";
export { sandboxVolumeRoutes } from "./sandbox-volumes";
export { platformAgentRoutes } from "./platform-agents";
export { listenerRoutes } from "./listeners";
export { agentAssistantRoutes } from "./agent-assistants";
export { agentCronRoutes } from "./agent-crons";
export { agentStoreRoutes } from "./agent-store";
export { agentThreadRoutes } from "./agent-threads";
export { agentRunRoutes } from "./agent-runs";
