import { badRequest, conflict, notFound, quotaExceeded } from "../base/api-error";
import { timestamp } from "../base/clock";
import {
  type CreateSandboxTemplateBody,
  createSandboxTemplateBody,
  FIXED_SANDBOX_TEMPLATE_FIELDS,
  patchSandboxTemplateBody,
} from "../platform/sandbox-template-body";
import { sandboxTemplates, type SandboxTemplateRecord } from "../platform/sandbox-template-record";
import { newRecord } from "../store/collection";
import { pageAnswer, TEMPLATE_PAGES } from "./pages";
import type { ApiRequest, RouteFactory } from "./route";
import { refuseFields, validated } from "./validation";

/** The semantic checks: well-formed requests that are answered with BadRequest. */
function refuseMeaningless(body: CreateSandboxTemplateBody): void {
  refuseName(body.name);
  for (const [field, quantity] of Object.entries(body.resources)) {
    if (!/^\d+(\.\d+)?(m|k|[MGTPE]|[KMGTPE]i)?$/.test(quantity)) {
      throw badRequest(`resources.${field} is not a quantity`);
    }
  }
  const paths = body.volume_mounts.map((mount) => mount.mount_path);
  if (paths.some((path) => !path.startsWith("/"))) throw badRequest("mount_path must be an absolute path");
  if (new Set(paths).size < paths.length) throw badRequest("mount_path must be unique within a template");
}

/** docs/internals/platform.md, SandboxTemplate: DNS-1035. */
function refuseName(name: string): void {
  if (/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name)) return;
  throw badRequest(
    "name must be a DNS-1035 label: lowercase alphanumerics and hyphens, starting with a letter and ending with an alphanumeric",
  );
}

/** docs/internals/platform.md, SandboxTemplate: as it is answered. */
function responseBody(record: SandboxTemplateRecord, numericCpu: boolean): Record<string, unknown> {
  const { is_old_row: isOld, resources } = record;
  return {
    id: isOld ? null : record.id,
    name: record.name,
    image: record.image,
    resources: numericCpu && /^\d+$/.test(resources.cpu) ? { ...resources, cpu: Number(resources.cpu) } : resources,
    volume_mounts: record.volume_mounts,
    proxy_config: record.proxy_config,
    created_at: isOld ? null : record.created_at,
    updated_at: isOld ? null : record.updated_at,
  };
}

/** docs/internals/platform.md, Sandbox templates: keyed by name. */
export const sandboxTemplateRoutes: RouteFactory = ({ store, platform, responses }) => {
  const { sandboxQuota, oldTemplateRows } = platform.settings;
  const templates = sandboxTemplates.in(store);
  const find = ({ tenant, param }: ApiRequest): SandboxTemplateRecord => {
    const [found] = templates.having(tenant.tenantId, param("name"));
    if (found === undefined) throw notFound(`SandboxTemplate ${param("name")}`);
    return found;
  };
  const refuseTaken = (tenantId: string, name: string): void => {
    if (templates.having(tenantId, name).length > 0) throw conflict(`SandboxTemplate ${name} already exists`);
  };
  const show = (record: SandboxTemplateRecord) => responseBody(record, responses.numericCpu);

  const create = ({ tenant: { tenantId }, now, json }: ApiRequest): Response => {
    const body = validated(createSandboxTemplateBody, json(), "body");
    refuseMeaningless(body);
    refuseTaken(tenantId, body.name);
    if (templates.of(tenantId).length >= sandboxQuota) {
      throw quotaExceeded(`The quota of ${sandboxQuota} sandbox templates is used up`);
    }
    const row = { in_use: false, is_old_row: oldTemplateRows };
    return Response.json(show(templates.put({ ...body, ...row, ...newRecord(tenantId, now) })), { status: 201 });
  };
  const list = (request: ApiRequest): Response =>
    pageAnswer(request, responses, TEMPLATE_PAGES, templates.of(request.tenant.tenantId), show);
  const read = (request: ApiRequest): Response => Response.json(show(find(request)));
  const rename = (request: ApiRequest): Response => {
    const json = request.json();
    refuseFields(json, FIXED_SANDBOX_TEMPLATE_FIELDS);
    const { name } = validated(patchSandboxTemplateBody, json, "body");
    const old = find(request);
    refuseName(name);
    if (name !== old.name) refuseTaken(old.tenant_id, name);
    return Response.json(show(templates.put({ ...old, name, updated_at: timestamp(request.now) })));
  };
  const remove = (request: ApiRequest): Response => {
    const { id, name, in_use: isUsed } = find(request);
    if (isUsed) throw conflict(`SandboxTemplate ${name} is in use`);
    templates.remove(id);
    return new Response(null, { status: 204 });
  };

  const all = "/v2/sandboxes/templates";
  const one = `${all}/:name`;
  return [
    { method: "POST", path: all, contract: "documented", handle: create },
    { method: "GET", path: all, contract: "documented", handle: list },
    { method: "GET", path: one, contract: "extended", handle: read },
    { method: "PATCH", path: one, contract: "extended", handle: rename },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
  ];
};
