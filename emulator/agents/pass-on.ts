import { type IncomingMessage, type OutgoingHttpHeaders, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { ApiError } from "../base/api-error";
import { asStream, type Exchange } from "../base/exchange";

/** Headers that belong to one connection, not to the request (RFC 9110, 7.6.1). */
const OF_CONNECTION = ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"];
const WITHOUT_BODY = [204, 205, 304];

/** A server, and where a request to it goes. */
export interface OwnDestination {
  /** For messages: `deployment "desk"`. */
  readonly what: string;
  readonly server: URL;
  /** The rest of the path, from its slash on. */
  readonly path: string;
  /** The key of the emulator, which is not passed on. */
  readonly key: string;
}

/**
 * Forwards a request unchanged, and streams the answer back: bodies byte for byte, streams without a buffer. Rejects with a 502 if the server
 * cannot be reached. If the client disconnects, the forwarded request is aborted.
 */
export async function passOn(exchange: Exchange, { what, server, path, key }: OwnDestination): Promise<Response> {
  const { request, url, bytes, outgoing } = exchange;
  const target = new URL(server);
  target.pathname = server.pathname.replace(/\/$/, "") + path;
  target.search = searchWithout(key, url.search);
  const send = target.protocol === "https:" ? httpsRequest : httpRequest;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // Not a kept connection: if the server had closed it meanwhile, the server would seem to be down.
    const headers = headersFrom(request.headers, key);
    // Without it, the body of a GET, HEAD or DELETE would be another request to the server.
    if (bytes.length > 0) headers["content-length"] = bytes.length;
    const sent = send(target, { method: request.method, headers, agent: false });
    sent.once("response", resolve);
    sent.once("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    sent.once("error", (error) => reject(unreachable(what, server, error)));
    outgoing.once("close", () => sent.destroy());
    sent.end(bytes);
  });
  const { statusCode: status = 0 } = answer;
  if (status < 200 || status > 599) {
    answer.destroy();
    throw new ApiError(502, `The agent of ${what} answered with status ${status}: only 200 to 599 can be passed on.`);
  }
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    if (!OF_CONNECTION.includes(name) && name !== "date") for (const value of values) headers.append(name, value);
  }
  if (WITHOUT_BODY.includes(status) || request.method === "HEAD") {
    answer.resume();
    // In another answer, such as 205, the header would promise a body that never comes.
    if (request.method !== "HEAD" && status !== 304) headers.delete("content-length");
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
  const dropped = [...OF_CONNECTION, "host", "content-length"];
  return Object.fromEntries([...headers].filter(([name, value]) => !dropped.includes(name) && !holds(value, key)));
}

/** The query without the parameters that contain the key. */
function searchWithout(key: string, search: string): string {
  const parts = search.slice(1).split("&");
  return parts.filter((part) => ![...new URLSearchParams(part)].flat().some((text) => holds(text, key))).join("&");
}

/** Whether a text contains the key as a whole word. */
function holds(text: string, key: string): boolean {
  const parts = text.split(key);
  return parts.some((part, at) => at > 0 && !/^\w/.test(part) && !/\w$/.test(parts[at - 1] ?? ""));
}

/** @param cut Called if the connection ends early, so that the client's answer does not look complete. */
function streamOf(answer: IncomingMessage, cut: () => void): ReadableStream<Uint8Array> {
  const reader = answer[Symbol.asyncIterator]();
  let isCancelled = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next: IteratorResult<unknown> = await reader.next();
        if (next.done === true) controller.close();
        else if (Buffer.isBuffer(next.value)) controller.enqueue(next.value);
      } catch {
        // The error is only the consequence of a cancelled read.
        if (isCancelled) return;
        cut();
        controller.close();
      }
    },
    cancel() {
      isCancelled = true;
      answer.destroy();
    },
  });
}

function unreachable(what: string, server: URL, error: Error): ApiError {
  const why = "code" in error && typeof error.code === "string" ? error.code : error.message;
  return new ApiError(502, `The agent of ${what} does not answer at ${server.origin} (${why}): is it running there?`);
}
