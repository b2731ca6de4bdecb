import type { IncomingMessage, ServerResponse } from "node:http";
import { Hono, type Context } from "hono";
import { ApiError } from "../base/api-error";
import { authenticate } from "./authentication";
import { timestamp, type Clock } from "../base/clock";
import type { RequestLog } from "./request-log";
import { through, unanswered, type Exchange, type Layer } from "./pipeline";
import { nouns } from "../routes";
import type { Call, Route, Services } from "../routes/route";
import { isStream } from "../base/streamed";
import { jsonBody } from "../routes/validation";

/** No payload limit is documented; this one only guards the machine. */
const maxBodyBytes = 64 * 1024 * 1024;

interface Env {
  Bindings: { exchange: Exchange };
}

/** The router of all nouns. It answers every exchange, also those it has no route for. */
export function createRouter(services: Services): Hono<Env> {
  const app = new Hono<Env>();
  const { contract, unknownRoute } = services.settings;
  const routes = nouns.flatMap((noun) => noun(services));
  const served = routes.filter((route) => contract === "extended" || route.contract === "documented");
  for (const route of served) {
    app.on(route.method, route.path, async (context) => route.handle(callOf(context, services)));
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = served.filter((route) => route.path === path).map((route) => route.method);
    app.all(path, () => (allowed.length > 0 ? methodNotAllowed(allowed) : new ApiError(404, "Not Found").toResponse()));
  }
  app.notFound((context) => {
    if (unknownRoute === "404") return new ApiError(404, "Not Found").toResponse();
    return new ApiError(501, `The emulator has no route ${context.req.method} ${context.req.path}`).toResponse();
  });
  app.onError((error) => {
    if (error instanceof ApiError) return error.toResponse();
    // A mistake of the emulator itself: its author needs the trace.
    console.error(error);
    return new ApiError(500, "Internal Server Error").toResponse();
  });
  return app;
}

function methodNotAllowed(allowed: readonly Route["method"][]): Response {
  return new ApiError(405, "Method Not Allowed", { allow: allowed.join(", ") }).toResponse();
}

function callOf(context: Context<Env>, services: Services): Call {
  const { exchange } = context.env;
  const tenant = authenticate(exchange.request.headers, services.settings.tenants);
  exchange.entry.tenant = tenant.tenantId;
  return {
    tenant,
    now: services.clock.now(),
    param: (name) => context.req.param(name) ?? "",
    query: (name) => exchange.url.searchParams.get(name) ?? undefined,
    body: exchange.body,
    json: () => jsonBody(exchange.body, exchange.request.headers.get("content-type")),
  };
}

/** The answer of the routes alone, past all layers. */
export async function askRouter(router: Hono<Env>, exchange: Exchange): Promise<Response> {
  return router.fetch(new Request(exchange.url, { method: exchange.request.method }), { exchange });
}

/** What the listener needs. `commit` resolves once everything in the store is safe. */
export interface Listening {
  readonly router: Hono<Env>;
  readonly clock: Clock;
  readonly log: RequestLog;
  readonly layers: readonly Layer[];
  readonly commit: () => Promise<void>;
  readonly answered: (entry: Exchange["entry"]) => void;
  /** Answers under way that take their time: whoever closes the emulator cuts them. */
  readonly streams: Set<ServerResponse>;
}

/** The two ends of the socket that a request came on. */
export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** THE function that every request passes: log, layers, router, commit, layers, answer. */
export async function answerRequest(listening: Listening, request: Request, connection: Connection): Promise<Response> {
  const { clock, log, layers, router } = listening;
  const url = new URL(request.url);
  const body = await readBody(request);
  const entry = log.add(timestamp(clock.now()), { method: request.method, url, body: body ?? "" });
  const exchange: Exchange = { request, url, body: body ?? "", entry, ...connection };
  const route = async () =>
    body === undefined ? new ApiError(413, "Request body too large").toResponse() : await askRouter(router, exchange);
  const response = await through(layers, exchange, route, listening.commit).catch((error: unknown) => {
    console.error(error);
    return new ApiError(500, error instanceof Error ? error.message : "Internal Server Error").toResponse();
  });
  // A client that has gone was not answered: tests tell by the log how far a run came that was cut off.
  if (response !== unanswered && !connection.outgoing.destroyed) {
    entry.status = response.status;
    entry.phase = "answered";
  }
  if (isStream(response)) follow(listening.streams, response, connection.outgoing);
  listening.answered(entry);
  // The clock of the emulator, not that of the machine, dates what clients compare with created_at.
  if (!connection.outgoing.headersSent) connection.outgoing.setHeader("date", new Date(clock.now()).toUTCString());
  return response;
}

function follow(streams: Set<ServerResponse>, { body }: Response, outgoing: ServerResponse): void {
  // Nobody would read it, and so nobody would end it.
  if (outgoing.destroyed) return void body?.cancel();
  streams.add(outgoing);
  outgoing.once("close", () => streams.delete(outgoing));
}

/** undefined: too large. */
async function readBody(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) return undefined;
  const text = await request.text();
  return text.length > maxBodyBytes ? undefined : text;
}
