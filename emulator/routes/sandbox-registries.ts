import { z } from "zod";
import { conflict, notFound } from "../base/api-error";
import { newRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { collectionRoutes } from "./collection-routes";
import { sandboxPages } from "./pages";
import type { RouteFactory } from "./route";
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

/** The registries, with their credentials, which no answer shows; out of band they are found by name too. */
export const sandboxRegistries = defineCollection("sandbox_registries", record, ({ name }) => [name]);

/** docs/internals/platform.md, Sandbox registries: keyed by name. */
export const sandboxRegistryRoutes: RouteFactory = ({ store, responses }) => {
  const all = sandboxRegistries.in(store);
  const refuseTaken = (tenantId: string, name: string, but?: string): void => {
    if (all.having(tenantId, name).some(({ id }) => id !== but))
      throw conflict(`SandboxRegistry ${name} already exists`);
  };
  return collectionRoutes({
    ...{ all, responses, pages: sandboxPages("registries") },
    path: "/v2/sandboxes/registries/:name",
    unknown: (key) => notFound(`SandboxRegistry ${key}`),
    show: ({ tenant_id: _tenant, username: _user, password: _password, ...shown }) => shown,
    list: ({ tenant, query }) =>
      all.of(tenant.tenantId).filter(({ name }) => name.includes(query("name_contains") ?? "")),
    create({ tenant: { tenantId }, now, json }) {
      const given = validated(body, json());
      refuseTaken(tenantId, given.name);
      return { ...given, ...newRecord(tenantId, now) };
    },
    update({ json }, find) {
      const changed = validated(z.looseObject({}), json());
      const old = find();
      const { tenant_id, id, created_at, updated_at, name, url } = old;
      const isSwitched = (changed["auth_type"] ?? old.auth_type) !== old.auth_type;
      const given = validated(body, { ...(isSwitched ? { name, url } : old), ...changed });
      refuseTaken(tenant_id, given.name, id);
      return { ...given, tenant_id, id, created_at, updated_at };
    },
  });
};
