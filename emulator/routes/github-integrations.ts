import type { RouteFactory } from "./route";

/** docs/internals/platform.md, Integrations: the installations of the platform's GitHub app, the same for every tenant. */
export const githubIntegrationRoutes: RouteFactory = ({ platform: { settings } }) => {
  const list = (): Response =>
    Response.json(settings.githubIntegrations.map(({ id, name }, index) => ({ id, installation_id: index + 1, name })));
  return [{ method: "GET", path: "/v1/integrations/github/install", contract: "extended", handle: list }];
};
