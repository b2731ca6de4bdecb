import { randomUUID } from "node:crypto";
import { conflict, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import { createSandboxRegistryBody, patchSandboxRegistryBody } from "../platform/sandbox-registry-body";
import { sandboxRegistries, type SandboxRegistryRecord } from "../platform/sandbox-registry-record";
import type { ApiRequest, RouteFactory } from "./route";
import { queryInt, validated } from "./validation";

/** docs/internals/platform.md, Sandbox registries: as it is answered. The emulator knows no users. */
const responseBody = ({ id, name, url, created_at, updated_at }: SandboxRegistryRecord) => ({
  id,
  name,
  url,
  created_at,
  created_by: null,
  updated_at,
  updated_by: null,
});

/** docs/internals/platform.md, Sandbox registries: keyed by name. */
export const sandboxRegistryRoutes: RouteFactory = ({ platform, responses: { pageSize } }) => {
  const all = platform.open((store) => sandboxRegistries.in(store));
  const find = ({ tenant, param }: ApiRequest): SandboxRegistryRecord => {
    const [found] = all.having(tenant.tenantId, param("name"));
    if (found === undefined) throw notFound(`SandboxRegistry ${param("name")}`);
    return found;
  };
  const refuseTakenName = (tenantId: string, name: string): void => {
    if (all.having(tenantId, name).length > 0) throw conflict(`SandboxRegistry ${name} already exists`);
  };

  const create = ({ tenant: { tenantId }, now, json }: ApiRequest): Response => {
    const body = validated(createSandboxRegistryBody, json(), "body");
    refuseTakenName(tenantId, body.name);
    const at = timestamp(now);
    const made = all.put({ ...body, id: randomUUID(), tenant_id: tenantId, created_at: at, updated_at: at });
    return Response.json(responseBody(made), { status: 201 });
  };
  const list = ({ tenant, query }: ApiRequest): Response => {
    const limit = queryInt(query("limit"), "limit", 1, 500, 50);
    const offset = queryInt(query("offset"), "offset", 0, Number.MAX_SAFE_INTEGER, 0);
    const found = all.of(tenant.tenantId).filter(({ name }) => name.includes(query("name_contains") ?? ""));
    const page = found.slice(offset, offset + Math.min(limit, pageSize));
    return Response.json({ registries: page.map(responseBody), offset: offset + page.length });
  };
  const read = (request: ApiRequest): Response => Response.json(responseBody(find(request)));
  const update = (request: ApiRequest): Response => {
    const body = validated(patchSandboxRegistryBody, request.json(), "body");
    const old = find(request);
    const name = body.name ?? old.name;
    if (name !== old.name) refuseTakenName(old.tenant_id, name);
    const changed = all.put({
      ...old,
      name,
      url: body.url ?? old.url,
      username: body.username ?? old.username,
      password: body.password ?? old.password,
      updated_at: timestamp(request.now),
    });
    return Response.json(responseBody(changed));
  };
  const remove = (request: ApiRequest): Response => {
    all.remove(find(request).id);
    return new Response(null, { status: 204 });
  };

  const collection = "/v2/sandboxes/registries";
  const one = `${collection}/:name`;
  return [
    { method: "POST", path: collection, contract: "extended", handle: create },
    { method: "GET", path: collection, contract: "extended", handle: list },
    { method: "GET", path: one, contract: "extended", handle: read },
    { method: "PATCH", path: one, contract: "extended", handle: update },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
  ];
};
