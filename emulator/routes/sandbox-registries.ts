import { z } from "zod";
import { conflict, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import { newRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { pageAnswer, sandboxPages } from "./pages";
import type { ApiRequest, RouteFactory } from "./route";
import { validated } from "./validation";

const text = z.string().min(1);
const none = z.undefined().optional();
const place = { name: text, url: text };
const docker = z.literal("DOCKER_CONFIG").default("DOCKER_CONFIG");
const body = z.discriminatedUnion("auth_type", [
  z.object({ ...place, auth_type: docker, username: text, password: text, aws_role_arn: none }),
  z.object({ ...place, auth_type: z.literal("AWS_ROLE"), aws_role_arn: text, username: none, password: none }),
]);
const record = storedRecord.and(body);
export type SandboxRegistryRecord = z.infer<typeof record>;

/** The registries, with their credentials, which no answer shows; out of band they are found by name too. */
export const sandboxRegistries = defineCollection("sandbox_registries", record, ({ name }) => [name]);

const shown = ({ tenant_id: _tenant, username: _user, password: _password, ...rest }: SandboxRegistryRecord) => rest;

/** docs/internals/platform.md, Sandbox registries: keyed by name. */
export const sandboxRegistryRoutes: RouteFactory = ({ store, responses }) => {
  const all = sandboxRegistries.in(store);
  const find = ({ tenant, param }: ApiRequest) => {
    const [found] = all.having(tenant.tenantId, param("name"));
    if (found === undefined) throw notFound(`SandboxRegistry ${param("name")}`);
    return found;
  };
  const refuseTaken = (tenantId: string, name: string, but?: string): void => {
    if (all.having(tenantId, name).some(({ id }) => id !== but))
      throw conflict(`SandboxRegistry ${name} already exists`);
  };

  const create = ({ tenant: { tenantId }, now, json }: ApiRequest): Response => {
    const given = validated(body, json(), "body");
    refuseTaken(tenantId, given.name);
    return Response.json(shown(all.put({ ...given, ...newRecord(tenantId, now) })), { status: 201 });
  };
  const list = (request: ApiRequest): Response => {
    const part = request.query("name_contains") ?? "";
    const found = all.of(request.tenant.tenantId).filter(({ name }) => name.includes(part));
    return pageAnswer(request, responses, sandboxPages("registries"), found, shown);
  };
  const read = (request: ApiRequest): Response => Response.json(shown(find(request)));
  const update = (request: ApiRequest): Response => {
    const changed = validated(z.looseObject({}), request.json(), "body");
    const old = find(request);
    const { tenant_id, id, created_at, name, url } = old;
    const isSwitched = (changed["auth_type"] ?? old.auth_type) !== old.auth_type;
    const given = validated(body, { ...(isSwitched ? { name, url } : old), ...changed }, "body");
    refuseTaken(tenant_id, given.name, id);
    return Response.json(shown(all.put({ ...given, tenant_id, id, created_at, updated_at: timestamp(request.now) })));
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
