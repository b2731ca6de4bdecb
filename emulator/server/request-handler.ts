import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "../base/api-error";
import { timestamp, type Clock } from "../base/clock";
import { unanswered, type Exchange, type Layer } from "../base/exchange";
import { isStream } from "../base/streamed";
import { errorResponse } from "./error-response";
import { through } from "./pipeline";
import type { RequestLog } from "./request-log";
import { routeExchange, type Router } from "./router";

/** No payload limit is documented; this one only protects the machine. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** The parts that a request passes through. */
export interface HandlerContext {
  readonly router: Router;
  readonly clock: Clock;
  readonly log: RequestLog;
  readonly layers: readonly Layer[];
  /** Resolves once everything in the store is safe. */
  readonly commit: () => Promise<void>;
  readonly onRequest: (entry: Exchange["entry"]) => void;
  /** Answers what is no request of the API; undefined for one that is. */
  readonly beside: (request: Request, connection: Connection) => Promise<Response> | undefined;
  /** Open streams, to be cut when the emulator closes. */
  readonly streams: Set<ServerResponse>;
}

/** The two ends of the socket that a request came on. */
export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Handles every request: log, layers, router, commit, layers, answer. */
export async function handleRequest(
  context: HandlerContext,
  request: Request,
  connection: Connection,
): Promise<Response> {
  const { clock, log, layers, router } = context;
  const beside = context.beside(request, connection);
  if (beside !== undefined) return beside;
  const url = new URL(request.url);
  const body = await readBody(request);
  const entry = log.add(timestamp(clock.now()), { method: request.method, url, body: body ?? "" });
  const exchange: Exchange = { request, url, body: body ?? "", entry, ...connection };
  const route = async () =>
    body === undefined
      ? new ApiError(413, "Request body too large").toResponse()
      : await routeExchange(router, exchange);
  const response = await through(layers, exchange, route, context.commit).catch((error: unknown) =>
    errorResponse(error, error instanceof Error ? error.message : undefined),
  );
  // A client that has left gets no answer: the log shows tests how far a cut-off request got.
  if (response !== unanswered && !connection.outgoing.destroyed) {
    entry.status = response.status;
    entry.phase = "answered";
  }
  if (isStream(response)) trackStream(context.streams, response, connection.outgoing);
  context.onRequest(entry);
  // The clock of the emulator, not that of the machine, dates what clients compare with created_at.
  if (!connection.outgoing.headersSent) connection.outgoing.setHeader("date", new Date(clock.now()).toUTCString());
  return response;
}

function trackStream(streams: Set<ServerResponse>, { body }: Response, outgoing: ServerResponse): void {
  // The client has left: nothing else would ever end the stream.
  if (outgoing.destroyed) return void body?.cancel();
  streams.add(outgoing);
  outgoing.once("close", () => streams.delete(outgoing));
}

/** undefined when the body is too large. */
async function readBody(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) return undefined;
  const text = await request.text();
  return text.length > MAX_BODY_BYTES ? undefined : text;
}
