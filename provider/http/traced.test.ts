import { routeOf } from "./traced";

test.each([
  ["a collection", "/v2/deployments", "/v2/deployments"],
  ["an object by its id", "/v2/deployments/6f1c", "/v2/deployments/{id}"],
  ["an object of an object", "/v2/deployments/6f1c/revisions/r-1", "/v2/deployments/{id}/revisions/{id}"],
  ["what is done", "/v2/deployments/6f1c/revisions/r-1/redeploy", "/v2/deployments/{id}/revisions/{id}/redeploy"],
  ["a log", "/v1/projects/6f1c/revisions/r-1/build_logs", "/v1/projects/{id}/revisions/{id}/build_logs"],
  ["a name, in an area that is no collection", "/v2/sandboxes/templates/code%20runner", "/v2/sandboxes/templates/{id}"],
  [
    "what is done with a name that is a plural",
    "/v2/sandboxes/volumes/models/clone",
    "/v2/sandboxes/volumes/{id}/clone",
  ],
  [
    "a key, below a word in the place of an id",
    "/v1/workspaces/current/secrets/K",
    "/v1/workspaces/current/secrets/{id}",
  ],
  ["a providerId", "/v2/auth/providers/github", "/v2/auth/providers/{id}"],
  ["a plural that has no objects", "/v1/integrations/github/install", "/v1/integrations/github/install"],
  ["a run on a thread", "/threads/t-1/runs/stream", "/threads/{id}/runs/stream"],
  ["a run without one", "/runs/stream", "/runs/stream"],
  ["a cron on a thread", "/threads/t-1/runs/crons", "/threads/{id}/runs/crons"],
  ["a cron by its id", "/runs/crons/6f1c", "/runs/crons/{id}"],
  ["a search", "/assistants/search", "/assistants/search"],
  ["joining a run", "/threads/t-1/runs/r-1/stream", "/threads/{id}/runs/{id}/stream"],
])("the route of %s", (_what, path, route) => expect(routeOf(path)).toBe(route));
