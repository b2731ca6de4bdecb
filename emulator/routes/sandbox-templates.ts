import {
  createSandboxTemplateBody,
  FIXED_SANDBOX_TEMPLATE_FIELDS,
  patchSandboxTemplateBody,
} from "../platform/sandbox-template-body";
import type { SandboxTemplateRecord } from "../platform/sandbox-template-record";
import { SandboxTemplateService } from "../platform/sandbox-template-service";
import { pageAnswer, TEMPLATE_PAGES } from "./pages";
import type { ApiRequest, RouteFactory } from "./route";
import { refuseFields, validated } from "./validation";

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
  const sandboxTemplates = new SandboxTemplateService(store, platform.settings);
  const find = ({ tenant, param }: ApiRequest) => sandboxTemplates.get(tenant.tenantId, param("name"));
  const show = (record: SandboxTemplateRecord) => responseBody(record, responses.numericCpu);

  const create = (request: ApiRequest): Response => {
    const body = validated(createSandboxTemplateBody, request.json(), "body");
    const record = sandboxTemplates.create(request.tenant.tenantId, body, request.now);
    return Response.json(show(record), { status: 201 });
  };
  const list = (request: ApiRequest): Response =>
    pageAnswer(request, responses, TEMPLATE_PAGES, sandboxTemplates.list(request.tenant.tenantId), show);
  const read = (request: ApiRequest): Response => Response.json(show(find(request)));
  const rename = (request: ApiRequest): Response => {
    const json = request.json();
    refuseFields(json, FIXED_SANDBOX_TEMPLATE_FIELDS);
    const { name } = validated(patchSandboxTemplateBody, json, "body");
    return Response.json(show(sandboxTemplates.rename(find(request), name, request.now)));
  };
  const remove = (request: ApiRequest): Response => {
    sandboxTemplates.remove(find(request));
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
