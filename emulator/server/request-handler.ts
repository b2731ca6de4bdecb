import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "../base/api-error";
import { timestamp, type Clock } from "../base/clock";
import { unanswered, type Exchange, type Layer } from "../base/exchange";
import { isStream } from "../base/streamed";
import { errorResponse } from "./error-response";
import { through } from "./pipeline";
import type { RequestLog } from "./request-log";
import { routeExchange, type Router } from "./router";

/** The parts that a request passes through. */
export interface HandlerContext {
  readonly router: Router;
  readonly clock: Clock;
  readonly log: RequestLog;
  readonly layers: readonly Layer[];
  /** Resolves once everything in the store is safe. */
  readonly commit: () => Promise<void>;
  readonly onRequest: (entry: Exchange["entry"]) => void;
  /** In bytes. */
  readonly bodyLimit: number;
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
  const { clock, log, layers, router } = context;
  const beside = context.beside(request, connection);
  if (beside !== undefined) return beside;
  const url = new URL(request.url);
  const read = await readBody(connection.incoming, isUpload(url) ? undefined : context.bodyLimit);
  const bytes = read ?? new Uint8Array();
  const body = new TextDecoder().decode(bytes);
  const entry = log.add(timestamp(clock.now()), { method: request.method, url, body });
  const exchange: Exchange = { request, url, body, bytes, entry, ...connection };
  const route = async () =>
    read === undefined
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

/** What is uploaded is source code or an image, as long as it likes, and nobody looks at it. */
const isUpload = ({ pathname }: URL): boolean => pathname.startsWith("/uploads/");

/**
 * undefined as soon as the body has more bytes than the limit: what follows is not kept, and a client that goes on sending is cut off.
 * @param limit undefined: the whole body is read, and nothing is kept of it.
 */
async function readBody(incoming: IncomingMessage, limit: number | undefined): Promise<Uint8Array | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const read of incoming.iterator({ destroyOnReturn: false })) {
    const part: unknown = read;
    if (!Buffer.isBuffer(part) || limit === undefined) continue;
    bytes += part.length;
    if (bytes > limit) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
