import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import { ApiError } from "../base/api-error";
import type { Exchange } from "../base/exchange";
import { asStream } from "../base/streamed";

/** They are about one connection, not about the request (RFC 9110, 7.6.1). */
const OF_CONNECTION = ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"];
/** Statuses whose answers have no body. */
const WITHOUT_BODY = [101, 204, 205, 304];

/** A server, and where a request to it goes. */
export interface OwnDestination {
  /** For messages: `deployment "desk"`. */
  readonly what: string;
  /** The address of the server. */
  readonly server: URL;
  /** The rest of the path, from its slash on. */
  readonly path: string;
  /** The key of the emulator, which is not passed on. */
  readonly key: string;
}

/**
 * Passes a request on as it came, and the answer as it comes: bodies byte for byte, streams without a buffer. Rejects with a 502 if the server
 * cannot be reached. A client that leaves ends the request there, too.
 */
export async function passOn(exchange: Exchange, { what, server, path, key }: OwnDestination): Promise<Response> {
  const { request, url, bytes, outgoing } = exchange;
  const target = new URL(server);
  target.pathname = server.pathname.replace(/\/$/, "") + path;
  target.search = url.search;
  const send = target.protocol === "https:" ? httpsRequest : httpRequest;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // A connection of its own: one that the server has closed meanwhile must not look like a server that is down.
    const sent = send(target, { method: request.method, headers: headersFrom(request.headers, key), agent: false });
    sent.once("response", resolve);
    sent.once("error", (error) => reject(unreachable(what, server, error)));
    outgoing.once("close", () => sent.destroy());
    sent.end(bytes);
  });
  const headers = new Headers();
  for (const [name, value] of pairs(answer.rawHeaders)) {
    if (!OF_CONNECTION.includes(name.toLowerCase()) && name.toLowerCase() !== "date") headers.append(name, value);
  }
  const { statusCode: status = 502 } = answer;
  if (WITHOUT_BODY.includes(status) || request.method === "HEAD") {
    answer.resume();
    return new Response(null, { status, headers });
  }
  return asStream(
    new Response(
      streamOf(answer, () => outgoing.destroy()),
      { status, headers },
    ),
  );
}

function headersFrom(headers: Headers, key: string): OutgoingHttpHeaders {
  const kept = [...headers].filter(([name, value]) => {
    const isOurs = value === key || value === `Bearer ${key}`;
    return !OF_CONNECTION.includes(name) && name !== "host" && name !== "content-length" && !isOurs;
  });
  return Object.fromEntries(kept);
}

/** @param cut Called where the connection is cut before the end: the client's answer must not look complete. */
function streamOf(answer: IncomingMessage, cut: () => void): ReadableStream<Uint8Array> {
  const reader = answer[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next: IteratorResult<unknown> = await reader.next();
        if (next.done === true) controller.close();
        else if (Buffer.isBuffer(next.value)) controller.enqueue(next.value);
      } catch {
        cut();
        controller.close();
      }
    },
    cancel: () => void answer.destroy(),
  });
}

function* pairs(raw: readonly string[]): Generator<readonly [name: string, value: string]> {
  for (let index = 0; index + 1 < raw.length; index += 2) yield [raw[index] ?? "", raw[index + 1] ?? ""];
}

function unreachable(what: string, server: URL, error: Error): ApiError {
  const why = "code" in error && typeof error.code === "string" ? error.code : error.message;
  return new ApiError(502, `The agent of ${what} does not answer at ${server.origin} (${why}): is it running there?`);
}
