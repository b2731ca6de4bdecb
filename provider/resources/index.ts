// The registry: one line per resource, its definition under its name (resource-types.ts). registry.ts opens them.
export { deployment as Deployment } from "./deployment/definition";
export { rollout as Rollout } from "./rollout/definition";
export { oauthProvider as OAuthProvider } from "./oauth-provider/definition";
export { sandboxTemplate as SandboxTemplate } from "./sandbox-template/definition";
export { listener as Listener } from "./listener/definition";
export { runCheck as RunCheck } from "./run-check/definition";
export { platformAgent as PlatformAgent } from "./platform-agent/definition";
export { sandboxRegistry as SandboxRegistry } from "./sandbox-registry/definition";
export { sandboxSnapshot as SandboxSnapshot } from "./sandbox-snapshot/definition";
export { sandboxVolume as SandboxVolume } from "./sandbox-volume/definition";
export { assistant as Assistant } from "./assistant/definition";
export { workspaceSecret as WorkspaceSecret } from "./workspace-secret/definition";
export { cron as Cron } from "./cron/definition";
