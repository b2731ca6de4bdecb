import type { IncomingMessage, ServerResponse } from "node:http";
import { type Clock, timestamp } from "../base/clock";
import { type Exchange, isStream, type Layer, type Tenant, unanswered } from "../base/exchange";
import { bringsKey } from "./authentication";
import type { BodyReader, Kept } from "./body-reader";
import { errorResponse, routeExchange, type Router } from "./router";
import type { RequestLog } from "./request-log";

export interface HandlerContext {
  readonly router: Router;
  readonly clock: Clock;
  readonly log: RequestLog;
  readonly layers: readonly Layer[];
  /** Resolves once everything in the store is safe. */
  readonly commit: () => Promise<void>;
  readonly onRequest: (entry: Exchange["entry"]) => void;
  readonly tenants: readonly Tenant[];
  readonly bodies: BodyReader;
  /** Handles requests outside the API; undefined for one of the API. */
  readonly beside: (request: Request, connection: SocketEnds) => Promise<Response> | undefined;
  /** Open streams, to be cut when the emulator closes. */
  readonly streams: Set<ServerResponse>;
}

/** The two ends of the socket that a request came on. */
export interface SocketEnds {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Handles every request: log, layers, router, commit, layers, answer. */
export async function handleRequest(
  context: HandlerContext,
  request: Request,
  connection: SocketEnds,
): Promise<Response> {
  const { clock, log, layers, router, bodies } = context;
  const beside = context.beside(request, connection);
  if (beside !== undefined) return beside;
  const url = new URL(request.url);
  const { bytes, unread, refusal } = await bodies.read(connection.incoming, keptOf(request, url, context));
  const body = new TextDecoder().decode(bytes);
  const entry = log.add(timestamp(clock.now()), { method: request.method, url, body, unread });
  const exchange: Exchange = { request, url, body, bytes, entry, ...connection };
  const route = async () => refusal?.toResponse() ?? (await routeExchange(router, exchange));
  const response = await through(layers, exchange, route, context.commit).catch((error: unknown) =>
    errorResponse(error, error instanceof Error ? error.message : undefined),
  );
  // A client that has disconnected gets no answer; the log shows tests how far its request got.
  if (response !== unanswered && !connection.outgoing.destroyed) {
    entry.status = response.status;
    entry.phase = "answered";
  }
  if (isStream(response)) trackStream(context.streams, response, connection.outgoing);
  context.onRequest(entry);
  // The date of the emulator's clock, not of the machine's, because clients compare it with created_at.
  if (!connection.outgoing.headersSent) connection.outgoing.setHeader("date", new Date(clock.now()).toUTCString());
  return response;
}

function trackStream(streams: Set<ServerResponse>, { body }: Response, outgoing: ServerResponse): void {
  // The client has disconnected, so nothing else would end the stream.
  if (outgoing.destroyed) return void body?.cancel();
  streams.add(outgoing);
  outgoing.once("close", () => streams.delete(outgoing));
}

/** Uploads (source code or an image) may have any length and are not read. Without a key, no body is read. */
function keptOf({ headers }: Request, { pathname }: URL, { tenants }: HandlerContext): Kept {
  if (pathname.startsWith("/uploads/")) return "nothing";
  return bringsKey(headers, tenants) ? "all" : "length";
}

/** Runs one request through the layers, outermost first on the way in and last on the way out. */
async function through(
  layers: readonly Layer[],
  exchange: Exchange,
  route: () => Promise<Response>,
  commit: () => Promise<void>,
): Promise<Response> {
  const passed: Layer[] = [];
  let response: Response | undefined;
  for (const layer of layers) {
    response = await layer.beforeRoute?.(exchange);
    if (response !== undefined) break;
    passed.unshift(layer);
  }
  if (response === undefined) {
    response = await route();
    // Also after a read: it may have seen the change of a concurrent request that is not written yet.
    await commit();
    exchange.entry.phase = "committed";
  }
  for (const layer of passed) {
    response = (await layer.afterCommit?.(exchange, response)) ?? response;
  }
  return response;
}
