import { agentRoutes } from "../agents/routes";
import type { Noun } from "../services";
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
