import type { IncomingMessage, ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { LogEntry } from "./request-log";

/** One request on its way through the emulator. */
export interface Exchange {
  readonly request: Request;
  readonly url: URL;
  /** The whole body, read before anything else happens. */
  readonly body: string;
  /** The line of the log that this request writes. */
  readonly entry: LogEntry;
  /** The connection itself, for a layer that cuts it or writes what no Response can hold. */
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What a layer answers that cut the connection or wrote to it itself: nothing is sent, and the log keeps its phase. */
export const unanswered: Response = RESPONSE_ALREADY_SENT;

/** Something that every request passes: faults, limits. Layers know no route, and routes know no layer. */
export interface Layer {
  /** Before authentication and routing. An answer here ends the matter: nothing is read or changed. */
  beforeRoute?(exchange: Exchange): Promise<Response | undefined>;
  /** After what the route wrote is safe in the data file. Gives the answer that the caller gets instead. */
  afterCommit?(exchange: Exchange, response: Response): Promise<Response>;
}

/** Runs one request through the layers, outermost first on the way in and last on the way out. */
export async function through(
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
    // Also after a read: what it saw may be the change of a neighbour that is not written yet.
    await commit();
    exchange.entry.phase = "committed";
  }
  for (const layer of passed) {
    response = (await layer.afterCommit?.(exchange, response)) ?? response;
  }
  return response;
}
