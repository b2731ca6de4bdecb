import { agentRoutes } from "./agents";
import type { Noun } from "./route";
import { deploymentRoutes } from "./deployments";
import { oauthProviderRoutes } from "./oauth-providers";
import { revisionRoutes } from "./revisions";
import { sandboxTemplateRoutes } from "./sandbox-templates";

/** The registry: one line for each noun of the platform. */
export const nouns: readonly Noun[] = [
  deploymentRoutes,
  revisionRoutes,
  oauthProviderRoutes,
  sandboxTemplateRoutes,
  agentRoutes,
];
