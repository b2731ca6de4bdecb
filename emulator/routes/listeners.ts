import { z } from "zod";
import { ApiError } from "../base/api-error";
import { timestamp } from "../base/clock";
import { computeConfig, createListenerBody } from "../platform/listener-body";
import { type ListenerRecord, listeners } from "../platform/listener-record";
import { withoutNulls } from "../platform/nulls";
import { newRecord } from "../store/collection";
import { pageAnswer, RESOURCE_PAGES } from "./pages";
import type { ApiRequest, RouteFactory } from "./route";
import { refuseFields, validated } from "./validation";

/** docs/internals/platform.md, Listeners: what a PATCH changes. null means not sent. */
const patchBody = z.object({ compute_config: computeConfig.nullish(), version: z.string().nullish() });
const FIXED_FIELDS = ["compute_type", "compute_id"];

const responseBody = ({ tenant_id: _, ...shown }: ListenerRecord) => shown;

/** docs/internals/platform.md, Listeners: keyed by id. */
export const listenerRoutes: RouteFactory = ({ store, responses }) => {
  const all = listeners.in(store);
  const find = ({ tenant, param }: ApiRequest): ListenerRecord => {
    const found = all.get(tenant.tenantId, param("listener_id"));
    if (found === undefined) throw new ApiError(404, `Listener ID ${param("listener_id")} not found.`);
    return found;
  };

  const create = ({ tenant: { tenantId }, now, json }: ApiRequest): Response => {
    const body = validated(createListenerBody, json(), "body");
    if (all.having(tenantId, body.compute_id).length > 0) {
      throw new ApiError(409, `A listener of workspace ${tenantId} with compute ID ${body.compute_id} already exists.`);
    }
    return Response.json(responseBody(all.put({ ...body, ...newRecord(tenantId, now) })), { status: 201 });
  };
  const list = (request: ApiRequest): Response =>
    pageAnswer(request, responses, RESOURCE_PAGES, all.of(request.tenant.tenantId), responseBody);
  const read = (request: ApiRequest): Response => Response.json(responseBody(find(request)));
  const update = (request: ApiRequest): Response => {
    const json = request.json();
    refuseFields(json, FIXED_FIELDS);
    const body = validated(patchBody, json, "body");
    const changed = { ...find(request), ...withoutNulls(body), updated_at: timestamp(request.now) };
    return Response.json(responseBody(all.put(changed)));
  };
  const remove = (request: ApiRequest): Response => {
    all.remove(find(request).id);
    return new Response(null, { status: 204 });
  };

  const collection = "/v2/listeners";
  const one = `${collection}/:listener_id`;
  return [
    { method: "POST", path: collection, contract: "extended", handle: create },
    { method: "GET", path: collection, contract: "extended", handle: list },
    { method: "GET", path: one, contract: "extended", handle: read },
    { method: "PATCH", path: one, contract: "extended", handle: update },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
  ];
};
