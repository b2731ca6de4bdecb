import { randomUUID } from "node:crypto";
import { z } from "zod";
import { conflict, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import { defineCollection, storedRecord } from "../platform/collection";
import type { ApiRequest, RouteFactory } from "./route";
import { refuseFields, validated } from "./validation";

const body = z.object({
  name: z.string(),
  event: z.enum(["deployed", "failed"]),
  url: z.string(),
  retries: z.string().default("3"),
});
const record = storedRecord.extend(body.shape);

/** The webhooks; out of band they are found by name too. */
export const webhooks = defineCollection("webhooks", record, ({ name }) => [name]);

const shown = ({ tenant_id: _tenant, ...rest }: z.infer<typeof record>) => rest;

/** Webhooks, keyed by name. */
export const webhookRoutes: RouteFactory = ({ platform }) => {
  const all = platform.open((store) => webhooks.in(store));
  const find = ({ tenant, param }: ApiRequest) => {
    const [found] = all.having(tenant.tenantId, param("name"));
    if (found === undefined) throw notFound(`Webhook ${param("name")}`);
    return found;
  };

  const create = ({ tenant: { tenantId }, now, json }: ApiRequest): Response => {
    const given = validated(body, json(), "body");
    if (all.having(tenantId, given.name).length > 0) throw conflict(`Webhook ${given.name} already exists`);
    const at = timestamp(now);
    const made = { ...given, id: randomUUID(), tenant_id: tenantId, created_at: at, updated_at: at };
    return Response.json(shown(all.put(made)), { status: 201 });
  };
  const list = ({ tenant }: ApiRequest): Response => Response.json(all.of(tenant.tenantId).map(shown));
  const read = (request: ApiRequest): Response => Response.json(shown(find(request)));
  const update = (request: ApiRequest): Response => {
    refuseFields(request.json(), ["name", "event"]);
    const changed = validated(body.pick({ url: true, retries: true }).partial(), request.json(), "body");
    return Response.json(shown(all.put({ ...find(request), ...changed, updated_at: timestamp(request.now) })));
  };
  const remove = (request: ApiRequest): Response => {
    all.remove(find(request).id);
    return new Response(null, { status: 204 });
  };

  const one = "/v2/webhooks/:name";
  return [
    { method: "POST", path: "/v2/webhooks", contract: "documented", handle: create },
    { method: "GET", path: "/v2/webhooks", contract: "documented", handle: list },
    { method: "GET", path: one, contract: "documented", handle: read },
    { method: "PATCH", path: one, contract: "documented", handle: update },
    { method: "DELETE", path: one, contract: "documented", handle: remove },
  ];
};
