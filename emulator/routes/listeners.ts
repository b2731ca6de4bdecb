import { z } from "zod";
import { ApiError } from "../base/api-error";
import { listeners } from "../platform/resource-records";
import { withoutNulls } from "../platform/nulls";
import { createListenerBody } from "../platform/resource-bodies";
import { newRecord } from "../store/collection";
import { collectionRoutes } from "./collection-routes";
import { RESOURCE_PAGES } from "./pages";
import type { RouteFactory } from "./route";
import { validated } from "./validation";

/** docs/internals/platform.md, Listeners: what a PATCH changes. null means not sent. */
const { compute_config: computeConfig } = createListenerBody.shape;
const patchBody = z.object({ compute_config: computeConfig.nullish(), version: z.string().nullish() });
const FIXED_FIELDS = ["compute_type", "compute_id"];

/** docs/internals/platform.md, Listeners: keyed by id. */
export const listenerRoutes: RouteFactory = ({ store, responses }) => {
  const all = listeners.in(store);
  return collectionRoutes({
    ...{ all, responses, pages: RESOURCE_PAGES },
    path: "/v2/listeners/:listener_id",
    find: ({ tenant }, id) => all.get(tenant.tenantId, id),
    unknown: (id) => new ApiError(404, `Listener ID ${id} not found.`),
    show: ({ tenant_id: _, ...shown }) => shown,
    create({ tenant: { tenantId }, now, json }) {
      const body = validated(createListenerBody, json());
      if (all.having(tenantId, body.compute_id).length > 0) {
        const reason = `A listener of workspace ${tenantId} with compute ID ${body.compute_id} already exists.`;
        throw new ApiError(409, reason);
      }
      return { ...body, ...newRecord(tenantId, now) };
    },
    update({ json }, find) {
      const body = validated(patchBody, json(), FIXED_FIELDS);
      return { ...find(), ...withoutNulls(body) };
    },
  });
};
