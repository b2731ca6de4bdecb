import {
  createDeploymentBody,
  FIXED_DEPLOYMENT_FIELDS,
  FIXED_SOURCE_CONFIG_FIELDS,
  patchDeploymentBody,
} from "../platform/deployment-body";
import type { DeploymentRecord } from "../platform/deployment-record";
import { revisionConfigAnswer } from "../platform/revision-record";
import type { ApiRequest, RouteFactory, RouteServices } from "./route";
import { queryInt, refuseFields, validated } from "./validation";

/** A deployment as the platform answers it (docs/platform.md, Answers of a deployment), and `url`, where its agent answers. */
function responseBody(services: RouteServices, record: DeploymentRecord, now: number): Record<string, unknown> {
  const { echoSecretValues, hideCommands } = services.responses;
  const { status, latest, latestRevisionId, active } = services.platform.deployments.status(record, now);
  const hidden = new Set(["listener_config", ...(hideCommands ? ["install_command", "build_command"] : [])]);
  const config = Object.fromEntries(Object.entries(record.source_config).filter(([name]) => !hidden.has(name)));
  return {
    // First, so that no unknown field can hide one of the server's own.
    ...record.extra,
    id: record.id,
    tenant_id: record.tenant_id,
    name: record.name,
    display_name: record.display_name,
    source: record.source,
    source_config: { ...config, resource_spec: record.resource_spec },
    source_revision_config: latest ? revisionConfigAnswer(latest) : record.source_revision_config,
    secrets: record.secrets.map(({ name, value }) => (echoSecretValues ? { name, value } : { name })),
    secret_references: record.secret_references,
    created_at: record.created_at,
    updated_at: record.updated_at,
    status,
    latest_revision_id: latestRevisionId,
    active_revision_id: active?.id ?? null,
    image_version: null,
    url: active ? `${services.publicUrl()}/agents/${record.id}` : null,
  };
}

/** docs/platform.md, Deployments. */
export const deploymentRoutes: RouteFactory = (services) => {
  const { deployments } = services.platform;
  const { pageSize } = services.responses;
  const show = (record: DeploymentRecord, { now }: ApiRequest) => responseBody(services, record, now);
  const find = ({ tenant, param, now }: ApiRequest) => deployments.get(tenant.tenantId, param("deployment_id"), now);

  const list = (request: ApiRequest): Response => {
    const limit = queryInt(request.query("limit"), "limit", 1, 100, 20);
    const offset = queryInt(request.query("offset"), "offset", 0, Number.MAX_SAFE_INTEGER, 0);
    const part = request.query("name_contains") ?? "";
    const all = deployments.list(request.tenant.tenantId, request.now).filter((record) => record.name.includes(part));
    const page = all.slice(offset, offset + Math.min(limit, pageSize));
    return Response.json({ resources: page.map((record) => show(record, request)), offset: offset + page.length });
  };
  const create = (request: ApiRequest): Response => {
    const body = validated(createDeploymentBody, request.json(), "body");
    return Response.json(show(deployments.create(request.tenant, body, request.now), request), { status: 201 });
  };
  const update = (request: ApiRequest): Response => {
    const json = request.json();
    refuseFields(json, FIXED_DEPLOYMENT_FIELDS);
    const body = validated(patchDeploymentBody, json, "body");
    refuseFields(body.source_config, FIXED_SOURCE_CONFIG_FIELDS, ["source_config"]);
    return Response.json(show(deployments.update(find(request), body, request.now), request));
  };
  const remove = (request: ApiRequest): Response => {
    deployments.remove(find(request), request.now);
    return new Response(null, { status: 204 });
  };
  const read = (request: ApiRequest): Response => Response.json(show(find(request), request));

  const all = "/v2/deployments";
  const one = `${all}/:deployment_id`;
  return [
    { method: "POST", path: all, contract: "documented", handle: create },
    { method: "GET", path: all, contract: "extended", handle: list },
    { method: "GET", path: one, contract: "documented", handle: read },
    { method: "PATCH", path: one, contract: "documented", handle: update },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
  ];
};
