import { agentRoutes } from "./agents";
import { deploymentRoutes } from "./deployments";
import { oauthProviderRoutes } from "./oauth-providers";
import { revisionRoutes } from "./revisions";
import type { RouteFactory } from "./route";
import { sandboxTemplateRoutes } from "./sandbox-templates";

/** The registry: one line for each noun of the platform. */
export const ROUTE_FACTORIES: readonly RouteFactory[] = [
  deploymentRoutes,
  revisionRoutes,
  oauthProviderRoutes,
  sandboxTemplateRoutes,
  agentRoutes,
];
