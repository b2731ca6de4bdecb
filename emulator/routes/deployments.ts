import type { z } from "zod";
import { ApiError, wrong } from "../base/api-error";
import {
  createDeploymentBody,
  type CreateRevisionBody,
  FIXED_DEPLOYMENT_FIELDS,
  FIXED_SOURCE_CONFIG_FIELDS,
  patchDeploymentBody,
} from "../platform/deployment-body";
import type { DeploymentRecord } from "../platform/deployment-record";
import { imageVersionOf } from "../platform/revision-image";
import { deploymentAnswer, deploymentType } from "./deployment-answer";
import { pageAnswer, RESOURCE_PAGES } from "./pages";
import type { ApiRequest, RouteFactory, RouteServices } from "./route";
import { queryBoolean, refuseFields, validated } from "./validation";

/** How many deployments one DELETE may name (docs/internals/platform.md, Deletion of a deployment). */
const MOST_DELETED = 100;

/** The body of a change, without the fields that no change can change. */
export function changeBody<T extends CreateRevisionBody>(schema: z.ZodType<T>, { json }: ApiRequest): T {
  const body = validated(schema, json(), FIXED_DEPLOYMENT_FIELDS);
  refuseFields(body.source_config, FIXED_SOURCE_CONFIG_FIELDS, ["source_config"]);
  return body;
}

/** docs/internals/platform.md, Deployments. */
export const deploymentRoutes: RouteFactory = (services) => {
  const { deployments } = services.platform;
  const show = (record: DeploymentRecord, { now }: ApiRequest) => deploymentAnswer(services, record, now);
  const find = ({ tenant, param, now }: ApiRequest) => deployments.get(tenant.tenantId, param("deployment_id"), now);

  const list = (request: ApiRequest): Response => {
    const { tenant, now } = request;
    const found = deployments.list(tenant.tenantId, now).filter(deploymentFilter(services, request));
    return pageAnswer(request, services.responses, RESOURCE_PAGES, found, (record) => show(record, request));
  };
  const create = (request: ApiRequest): Response => {
    const body = validated(createDeploymentBody, request.json());
    const [isNamed, isOfAgent] = [body.name !== undefined, body.agent !== undefined];
    if (!isNamed && !isOfAgent) throw wrong(["body", "name"], "Field required", "missing");
    if (isNamed && isOfAgent) throw wrong(["body", "name"], "Not with agent");
    return Response.json(show(deployments.create(request.tenant, body, request.now), request), { status: 201 });
  };
  const update = (request: ApiRequest): Response => {
    const body = changeBody(patchDeploymentBody, request);
    return Response.json(show(deployments.update(find(request), body, request.now), request));
  };
  const remove = (request: ApiRequest): Response => {
    queryBoolean(request.query("delete_tracing_project"), "delete_tracing_project");
    deployments.remove(find(request), request.now);
    return new Response(null, { status: 204 });
  };
  const removalProblem = ({ tenant, now }: ApiRequest, id: string) => {
    try {
      deployments.remove(deployments.get(tenant.tenantId, id, now), now);
      return [];
    } catch (error) {
      if (error instanceof ApiError) return [{ deployment_id: id, detail: error.detail }];
      throw error;
    }
  };
  const removeMany = (request: ApiRequest): Response => {
    queryBoolean(request.query("delete_tracing_project"), "delete_tracing_project");
    const ids = [...new Set(request.queryList("deployment_ids"))];
    const place = ["query", "deployment_ids"];
    if (ids.length === 0) throw wrong(place, "Field required", "missing");
    if (ids.length > MOST_DELETED) throw wrong(place, `List should have at most ${MOST_DELETED} items`, "too_long");
    const failed = ids.flatMap((id) => removalProblem(request, id));
    const gone = ids.filter((id) => !failed.some(({ deployment_id: left }) => left === id));
    return Response.json({ deleted: gone, failed }, { status: failed.length === 0 ? 200 : 207 });
  };
  const read = (request: ApiRequest): Response => Response.json(show(find(request), request));

  const all = "/v2/deployments";
  const one = `${all}/:deployment_id`;
  return [
    { method: "POST", path: all, contract: "documented", handle: create },
    { method: "GET", path: all, contract: "extended", handle: list },
    { method: "DELETE", path: all, contract: "extended", handle: removeMany },
    { method: "GET", path: one, contract: "documented", handle: read },
    { method: "PATCH", path: one, contract: "documented", handle: update },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
  ];
};

/** The filters in a query of GET /v2/deployments (docs/internals/platform.md, Lists): a deployment has to pass all of them. */
function deploymentFilter(
  { platform, responses }: RouteServices,
  { query, queryList, now }: ApiRequest,
): (deployment: DeploymentRecord) => boolean {
  const [ids, statuses, tags] = [queryList("deployment_ids"), queryList("status"), queryList("tag_value_ids")];
  // An empty filter counts as not set, because clients send one for filters that they do not use.
  const given = (filter: string) => (query(filter) === "" ? undefined : query(filter));
  const [name, part] = [given("name"), given("name_contains")];
  const [type, version] = [given("deployment_type"), given("image_version")];
  const [agent, environment] = ["agent_id", "agent_environment"].map((filter) =>
    responses.agentFilters ? given(filter) : undefined,
  );
  const remote = queryBoolean(given("remote_reconciled"), "remote_reconciled");
  return (deployment) => {
    // No deployment of the emulator has tags.
    if (tags.length > 0 || (ids.length > 0 && !ids.includes(deployment.id))) return false;
    if (name !== undefined && deployment.name !== name) return false;
    if (part !== undefined && !deployment.name.includes(part)) return false;
    if (agent !== undefined && deployment.agent?.agent_id !== agent) return false;
    if (environment !== undefined && deployment.agent?.environment !== environment) return false;
    // Reconciled by a listener in a cluster of the user's own, and not by the cloud.
    if (remote !== undefined && (deployment.source === "external_docker") !== remote) return false;
    if (type !== undefined && deploymentType(deployment) !== type) return false;
    // Only where it is asked for: it looks at revisions.
    if (statuses.length === 0 && version === undefined) return true;
    const { status, latest } = platform.deployments.status(deployment, now);
    if (statuses.length > 0 && !statuses.includes(status)) return false;
    return version === undefined || imageVersionOf(latest, now) === version;
  };
}
