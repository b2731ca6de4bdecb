import { asStream, type Exchange, unanswered } from "../base/exchange";

/** Statuses of answers without a body. */
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

/** Writes the first part of the answer (default: half) and ends the connection. A Response cannot express that. */
export function truncated(
  exchange: Exchange,
  response: Response,
  text: string,
  { by, after }: { readonly by: "content-length" | "cut"; readonly after?: number | undefined },
): Response {
  const { outgoing, incoming, entry } = exchange;
  const bytes = Buffer.from(text);
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    date: new Date(entry.at).toUTCString(),
    ...(by === "content-length" ? { "content-length": bytes.length } : { "transfer-encoding": "chunked" }),
  });
  entry.status = response.status;
  // Wait until it is flushed, so that the part that the client gets does not depend on timing.
  outgoing.write(bytes.subarray(0, after ?? Math.ceil(bytes.length / 2)), () => incoming.socket.destroySoon());
  return unanswered;
}

/** Parts of a body, each after a pause of real time. Ends when the reader cancels. */
export function throttledBody(
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  everyMs: number,
): ReadableStream<Uint8Array> {
  const iterator = Symbol.iterator in parts ? parts[Symbol.iterator]() : parts[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  let gone = false;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await new Promise((resolve) => (timer = setTimeout(resolve, everyMs)));
      const next = await iterator.next();
      if (gone) return;
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: () => {
      gone = true;
      clearTimeout(timer);
      void iterator.return?.();
    },
  });
}

/** JSON without an end. */
export function* endlessText(): Generator<Uint8Array> {
  yield Buffer.from('{"detail":"');
  const filling = Buffer.alloc(64 * 1024, "x");
  for (;;) yield filling;
}

/** The bytes of a text, in slices of at most `size`. */
export function* slices(text: string, size: number): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
