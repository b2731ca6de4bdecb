import type { IncomingMessage, ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

/** How far a request got. "committed" means that its writes are safe, whatever happens to the answer. */
type RequestPhase = "received" | "committed" | "answered";

/** One request as the log keeps it. Secrets are left out: only fields known to be harmless show their value. */
export interface LogEntry {
  readonly seq: number;
  /** When it arrived, by the emulator's clock, ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** Of a long one, its length. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The shape of the body: objects and arrays as sent, leaves as their type, except in harmless fields. Of a long one, or without the key, its length. */
  readonly requestBody: unknown;
  phase: RequestPhase;
  /** null until it is answered. */
  status: number | null;
  /** null until the key is known to be right. */
  tenant: string | null;
  /** Kind of the last fault that struck it (faults/fault.ts). */
  fault: string | null;
  faultPhase: "before-route" | "after-commit" | null;
}

/** One request on its way through the emulator. */
export interface Exchange {
  readonly request: Request;
  readonly url: URL;
  /** The whole body, read first; empty if the request has no valid key. */
  readonly body: string;
  /** The body as bytes. */
  readonly bytes: Uint8Array;
  /** The line of the log that this request writes. */
  readonly entry: LogEntry;
  /** The connection itself, for a layer that cuts it or writes what no Response can hold. */
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The answer of a layer that cut the connection or wrote to it directly: nothing more is sent, and the log keeps its phase. */
export const unanswered: Response = RESPONSE_ALREADY_SENT;

/** A step that every request passes: faults, limits. Layers do not know routes, and routes do not know layers. */
export interface Layer {
  /** Runs before authentication and routing. If it answers, nothing is read or changed. */
  beforeRoute?(exchange: Exchange): Promise<Response | undefined>;
  /** Runs once the writes of the route are safe in the data file. Returns the answer that the client gets instead. */
  afterCommit?(exchange: Exchange, response: Response): Promise<Response>;
}

/** Which endpoints exist (docs/internals/platform.md, Two contracts). */
export type Contract = "documented" | "extended";

/** A workspace, and the key that opens it. Several tenants may share one key: X-Tenant-Id then picks (default: the first). */
export interface Tenant {
  readonly tenantId: string;
  readonly organizationId: string;
  readonly apiKey: string;
}

/** The key that a request brings: by X-Api-Key, or as a bearer token, which gives the same access (docs/internals/platform.md, Headers). */
export const keyOf = (headers: Headers): string | undefined =>
  headers.get("x-api-key") ?? /^Bearer +([^ ].*)$/i.exec(headers.get("authorization") ?? "")?.[1];

const streamed = new WeakSet<Response>();

/** Marks an answer whose body is a stream, perhaps without an end. */
export function asStream(response: Response): Response {
  streamed.add(response);
  return response;
}

/** Whether the body is a stream: then only the client may read it. */
export const isStream = (response: Response): boolean => streamed.has(response);
