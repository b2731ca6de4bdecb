import type { Tenant } from "../base/exchange";
import type { SocketEnds } from "./request-handler";
import { RequestLog } from "./request-log";
import { routeExchange, type Router } from "./router";

/** A request of the emulator's own: a client of no port. */
export interface OwnRequest {
  readonly tenant: Tenant;
  readonly method: "PATCH" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

/** Asks the routes past the log, the limits and the faults. */
export function ownRequests(
  router: Router,
  commit: () => Promise<void>,
): (request: OwnRequest, connection: SocketEnds) => Promise<Response> {
  return async ({ tenant, method, path, body }, connection) => {
    const url = new URL(path, "http://127.0.0.1");
    const headers = {
      "x-api-key": tenant.apiKey,
      "x-tenant-id": tenant.tenantId,
      "x-organization-id": tenant.organizationId,
      "content-type": "application/json",
    };
    const text = body === undefined ? "" : JSON.stringify(body);
    const request = new Request(url, { method, headers });
    // Of a log that nobody reads.
    const entry = new RequestLog().add("", { method, url, body: "" });
    const exchange = { request, url, body: text, bytes: Buffer.from(text), entry, ...connection };
    const response = await routeExchange(router, exchange);
    await commit();
    return response;
  };
}
