import { type Context, Hono } from "hono";
import { ApiError } from "../base/api-error";
import type { Exchange, Tenant } from "../base/exchange";
import * as factories from "../routes";
import { AGENT_PATH, agentLookups } from "../routes/agent-lookups";
import type { ApiRequest, Route, RouteFactory, RouteServices } from "../routes/route";
import { ownAgentAnswer } from "../routes/own-agents";
import { receiveUpload } from "../routes/uploads";
import { jsonBody } from "../routes/validation";
import { authenticate } from "./authentication";
import type { ServerSettings } from "./options";

interface Env {
  Bindings: { exchange: Exchange };
}

/** All routes behind authentication. */
export type Router = Hono<Env>;

/** The router of all resource types, whose collections it opens: throws if one cannot be read. It answers every exchange, even without a matching route. */
export function createRouter(services: RouteServices, settings: ServerSettings): Router {
  const app = new Hono<Env>();
  const { contract, unknownRoute } = settings;
  const routes = Object.values<RouteFactory>(factories).flatMap((factory) => factory(services));
  const served = routes.filter((route) => contract === "extended" || route.contract === "documented");
  if (services.agents.own.size > 0) {
    app.use("/agents/*", async (context, next) => {
      const { exchange } = context.env;
      const tenant = tenantOf(exchange, settings);
      const answer = await ownAgentAnswer(services, exchange, tenant);
      if (answer === undefined) await next();
      return answer;
    });
  }
  for (const route of served) {
    app.on(route.method, pathsOf(route.path, settings), (context) =>
      route.handle(requestOf(context, services, settings)),
    );
  }
  for (const path of new Set(routes.filter((route) => !isOfAgents(route)).map((route) => route.path))) {
    const allowed = served.filter((route) => route.path === path).map((route) => route.method);
    const allow = { allow: allowed.join(", ") };
    const refusal =
      allowed.length > 0 ? new ApiError(405, "Method Not Allowed", allow) : new ApiError(404, "Not Found");
    for (const at of pathsOf(path, settings)) app.all(at, () => refusal.toResponse());
  }
  // The id is the permission: no key is needed.
  app.put("/uploads/:id", ({ req }) => receiveUpload(services, req.param("id")));
  const { agentOf } = agentLookups(services);
  app.all(`${AGENT_PATH}/*`, (context) => {
    agentOf(requestOf(context, services, settings));
    return notOffered(context, served.filter(isOfAgents));
  });
  app.notFound((context) => {
    if (unknownRoute === "404") return new ApiError(404, "Not Found").toResponse();
    const { method } = context.env.exchange.request;
    return new ApiError(501, `The emulator has no route ${method} ${context.req.path}`).toResponse();
  });
  app.onError((error) => errorResponse(error));
  return app;
}

/** No Request may have such a method, and no route has it. */
const FORBIDDEN: ReadonlySet<string> = new Set(["TRACE", "TRACK", "CONNECT"]);

/** The answer of the routes, without any layer. */
export async function routeExchange(router: Router, exchange: Exchange): Promise<Response> {
  const { method, headers } = exchange.request;
  const isOfPage = headers.has("origin") && isOfAgents({ path: exchange.url.pathname });
  const asked = headers.get("access-control-request-method");
  // A browser asks without the key.
  if (isOfPage && method === "OPTIONS" && asked !== null) return preflight(headers);
  const isHead = method === "HEAD";
  const known = FORBIDDEN.has(method) ? "OTHER" : isHead ? "GET" : method;
  const answer = await router.fetch(new Request(exchange.url, { method: known }), { exchange });
  // Hono would leave the body unread: a run waits for the reader of its stream.
  if (isHead) await answer.body?.cancel();
  const response = isHead ? new Response(null, answer) : answer;
  // The answer itself, whose stream is known by it; an own agent's headers are its own.
  if (isOfPage && !response.headers.has(ALLOW_ORIGIN)) {
    response.headers.set(ALLOW_ORIGIN, "*");
    response.headers.set("access-control-expose-headers", "x-pagination-total, x-pagination-next, content-location");
  }
  return response;
}

const ALLOW_ORIGIN = "access-control-allow-origin";

/** Any page may use an agent, with a key; the control plane none (docs/internals/platform.md, Framing of a stream). */
function preflight(asked: Headers): Response {
  return new Response("OK", {
    headers: {
      [ALLOW_ORIGIN]: "*",
      "access-control-allow-methods": "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
      "access-control-allow-headers": asked.get("access-control-request-headers") ?? "",
      "access-control-max-age": "600",
    },
  });
}

const isOfAgents = ({ path }: Pick<Route, "path">): boolean => path.startsWith("/agents/");

/** The answer of an agent to an unknown path: what it does not offer, and what it does (docs/emulator.md, The agents). */
function notOffered({ req, env }: Context<Env>, offered: readonly Route[]): Response {
  const asked = req.path.split("/").slice(3).join("/");
  const endpoints = offered.map(({ method, path }) => `${method} ${path.slice(AGENT_PATH.length)}`);
  const listed = endpoints.join(", ").replace(/:(\w+)/g, "{$1}");
  const { method } = env.exchange.request;
  return new ApiError(
    404,
    `The emulator's agents do not offer ${method} /${asked}: name a server that does by the emulator's option --agent. They offer ${listed}`,
  ).toResponse();
}

/** Where an endpoint answers: those of the control plane below the base path too, those of sandboxes below /api too. */
function pathsOf(path: string, { basePath, contract }: ServerSettings): string[] {
  if (isOfAgents({ path })) return [path];
  const isBelowApi = /^\/(v2\/sandboxes|v1\/agents|v1\/workspaces)\b/.test(path) && contract === "extended";
  return [path, ...(basePath === "" ? [] : [basePath + path]), ...(isBelowApi ? [`/api${path}`] : [])];
}

function requestOf(context: Context<Env>, { clock }: RouteServices, settings: ServerSettings): ApiRequest {
  const { exchange } = context.env;
  return {
    tenant: tenantOf(exchange, settings),
    now: clock.now(),
    param: (name) => context.req.param(name) ?? "",
    header: (name) => exchange.request.headers.get(name) ?? undefined,
    query: (name) => exchange.url.searchParams.get(name) ?? undefined,
    search: exchange.url.searchParams,
    queryList: (name) => exchange.url.searchParams.getAll(name).flatMap((value) => value.split(",").filter(Boolean)),
    body: exchange.body,
    json: () => jsonBody(exchange.body, exchange.request.headers.get("content-type")),
  };
}

function tenantOf({ request, entry }: Exchange, { tenants }: ServerSettings): Tenant {
  const tenant = authenticate(request.headers, tenants);
  entry.tenant = tenant.tenantId;
  return tenant;
}

/** The answer to an error: that of an ApiError, or a 500 with `detail` for a mistake of the emulator itself. */
export function errorResponse(error: unknown, detail = "Internal Server Error"): Response {
  if (error instanceof ApiError) return error.toResponse();
  // A bug of the emulator: print the stack trace for its developers.
  console.error(error);
  return new ApiError(500, detail).toResponse();
}
