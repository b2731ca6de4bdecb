import { setTimeout as pause } from "node:timers/promises";
import { asStream, type Exchange, unanswered } from "../base/exchange";

const WITHOUT_BODY = [204, 205, 304];

/** An answer with another body. Status and headers stay unless given, except a status that allows no body. */
export function withBody(
  response: Response,
  body: string | ReadableStream<Uint8Array> | null,
  change: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  for (const [name, value] of Object.entries(change.headers ?? {})) headers.set(name, value);
  const status = change.status ?? response.status;
  const answer = new Response(body, { status: body !== null && WITHOUT_BODY.includes(status) ? 200 : status, headers });
  return body instanceof ReadableStream ? asStream(answer) : answer;
}

/** An error of a gateway between client and platform: without the `detail` that all errors of the platform have. */
export function gatewayAnswer(status: number, body: "text" | "html" | "json" | "empty", headers: Headers): Response {
  switch (body) {
    case "text":
      headers.set("content-type", "text/plain; charset=utf-8");
      return new Response(`${status} ${status === 404 ? "page not found" : "error"}\n`, { status, headers });
    case "html":
      headers.set("content-type", "text/html");
      return new Response(`<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`, {
        status,
        headers,
      });
    case "json":
      return Response.json({ message: "no Route matched with those values" }, { status, headers });
    case "empty":
      return new Response(null, { status, headers });
  }
}

/** Cuts the connection: the client sees a reset. */
export function reset(exchange: Exchange): Response {
  exchange.incoming.socket.resetAndDestroy();
  return unanswered;
}

/** Writes the first bytes of the answer and ends the connection. A Response cannot express that. */
export function truncated(
  { outgoing, incoming, entry }: Exchange,
  response: Response,
  text: string,
  { by, after }: { readonly by: "content-length" | "cut"; readonly after: number },
): Response {
  const bytes = Buffer.from(text);
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    date: new Date(entry.at).toUTCString(),
    ...(by === "content-length" ? { "content-length": bytes.length } : { "transfer-encoding": "chunked" }),
  });
  entry.status = response.status;
  // Wait until it is flushed, so that the part that the client gets does not depend on timing.
  outgoing.write(bytes.subarray(0, after), () => incoming.socket.destroySoon());
  return unanswered;
}

/** JSON without an end, as fast as the client takes it. */
export function endlessBody(): ReadableStream<Uint8Array> {
  const filling = Buffer.alloc(64 * 1024, "x");
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('{"detail":"')),
    pull: (controller) => controller.enqueue(filling),
  });
}

/** A body in slices of at most that many bytes, each after a pause of real time. */
export function slowed(body: ReadableStream<Uint8Array>, bytes: number, everyMs: number): ReadableStream<Uint8Array> {
  const slicing = new TransformStream<Uint8Array, Uint8Array>({
    transform: async (part, controller) => {
      for (let at = 0; at < part.length; at += bytes) {
        // It may be long, and keeps no process alive that has nobody left to answer.
        await pause(everyMs, undefined, { ref: false });
        controller.enqueue(part.subarray(at, at + bytes));
      }
    },
  });
  return body.pipeThrough(slicing);
}

/** The first bytes of a stream; then its clean end ("end"), or a call that cuts the connection once those bytes are written. */
export function cutAfter(
  body: ReadableStream<Uint8Array>,
  bytes: number,
  then: "end" | (() => void),
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = bytes;
  const stop = () => void reader.cancel().catch(() => undefined);
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (left === 0) {
          stop();
          if (then === "end") controller.close();
          else then();
          return;
        }
        const next = await reader.read();
        if (next.done) {
          controller.close();
          return;
        }
        const part = next.value.subarray(0, left);
        left -= part.length;
        controller.enqueue(part);
      },
      cancel: stop,
    },
    // Nothing is sent early: a pull means that the previous part is on the socket.
    { highWaterMark: 0 },
  );
}
