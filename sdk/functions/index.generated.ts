// Generated from the tables of provider/resources by `npm run generate`: do not edit.
export {
  getDeployment,
  getDeploymentOutput,
  listDeployments,
  listDeploymentsOutput,
  type GetDeploymentArgs,
  type GetDeploymentOutputArgs,
  type GetDeploymentResult,
} from "./deployment.generated";
export {
  getListener,
  getListenerOutput,
  listListeners,
  listListenersOutput,
  type GetListenerArgs,
  type GetListenerOutputArgs,
  type GetListenerResult,
} from "./listener.generated";
export {
  getOAuthProvider,
  getOAuthProviderOutput,
  listOAuthProviders,
  listOAuthProvidersOutput,
  type GetOAuthProviderArgs,
  type GetOAuthProviderOutputArgs,
  type GetOAuthProviderResult,
} from "./oauth-provider.generated";
export {
  getPlatformAgent,
  getPlatformAgentOutput,
  listPlatformAgents,
  listPlatformAgentsOutput,
  type GetPlatformAgentArgs,
  type GetPlatformAgentOutputArgs,
  type GetPlatformAgentResult,
} from "./platform-agent.generated";
export {
  getSandboxRegistry,
  getSandboxRegistryOutput,
  listSandboxRegistries,
  listSandboxRegistriesOutput,
  type GetSandboxRegistryArgs,
  type GetSandboxRegistryOutputArgs,
  type GetSandboxRegistryResult,
} from "./sandbox-registry.generated";
export {
  getSandboxSnapshot,
  getSandboxSnapshotOutput,
  listSandboxSnapshots,
  listSandboxSnapshotsOutput,
  type GetSandboxSnapshotArgs,
  type GetSandboxSnapshotOutputArgs,
  type GetSandboxSnapshotResult,
} from "./sandbox-snapshot.generated";
export {
  getSandboxTemplate,
  getSandboxTemplateOutput,
  listSandboxTemplates,
  listSandboxTemplatesOutput,
  type GetSandboxTemplateArgs,
  type GetSandboxTemplateOutputArgs,
  type GetSandboxTemplateResult,
} from "./sandbox-template.generated";
export {
  getSandboxVolume,
  getSandboxVolumeOutput,
  listSandboxVolumes,
  listSandboxVolumesOutput,
  type GetSandboxVolumeArgs,
  type GetSandboxVolumeOutputArgs,
  type GetSandboxVolumeResult,
} from "./sandbox-volume.generated";
export {
  getWorkspaceSecret,
  getWorkspaceSecretOutput,
  listWorkspaceSecrets,
  listWorkspaceSecretsOutput,
  type GetWorkspaceSecretArgs,
  type GetWorkspaceSecretOutputArgs,
  type GetWorkspaceSecretResult,
} from "./workspace-secret.generated";
