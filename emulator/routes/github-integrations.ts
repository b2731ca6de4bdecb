import { notFound } from "../base/api-error";
import type { ApiRequest, RouteFactory } from "./route";

/** docs/internals/platform.md, Integrations: the installations of the platform's GitHub app, the same for every tenant. */
export const githubIntegrationRoutes: RouteFactory = ({ platform: { settings } }) => {
  const { githubIntegrations } = settings;
  const list = (): Response =>
    Response.json(githubIntegrations.map(({ id, name }, index) => ({ id, installation_id: index + 1, name })));
  const repositories = ({ param }: ApiRequest): Response => {
    const id = param("integration_id");
    const found = githubIntegrations.find((integration) => integration.id === id);
    if (found === undefined) throw notFound(`Integration ${id}`);
    return Response.json(
      found.repos.map(({ owner, name, defaultBranch }, index) => ({
        host_integration_id: id,
        id: index + 1,
        owner,
        name,
        url: `https://github.com/${owner}/${name}`,
        default_branch: defaultBranch,
      })),
    );
  };

  const all = "/v1/integrations/github";
  return [
    { method: "GET", path: `${all}/install`, contract: "extended", handle: list },
    { method: "GET", path: `${all}/:integration_id/repos`, contract: "extended", handle: repositories },
  ];
};
