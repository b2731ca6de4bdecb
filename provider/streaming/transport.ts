import type { Readable } from "node:stream";
import type { AxiosResponse } from "axios";
import { headerProblem, isInsecure, serverProblem } from "../base/address";
import { ArgumentError, messageOf, TransportError } from "../base/errors";
import { noteSecrets, safeText } from "../base/masker";
import { tracedTry } from "../http/traced";
import { exchange, openAxios, refusal } from "../http/transport";
import { StreamError } from "./errors";

/** Where an agent answers, and how to send requests to it. */
export interface AgentAddress {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly allowInsecure: boolean;
  /** Until the headers of an answer. */
  readonly requestTimeoutMs: number;
}

export interface AgentRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  /** @default "application/json" */
  readonly accept?: "text/event-stream";
  readonly signal: AbortSignal | undefined;
}

/** The longest answer that is read whole. */
const MAX_BYTES = 1024 * 1024;

/**
 * One request, sent once and never repeated: a run that was started is not started again. Gives the body of a successful answer as it comes.
 * Errors: ArgumentError before anything is sent; HttpError; TransportError; the signal's reason.
 */
export async function sendRequest(address: AgentAddress, request: AgentRequest): Promise<AxiosResponse<Readable>> {
  check(address);
  const { url, apiKey, requestTimeoutMs: limitMs } = address;
  const { method, path, query, body, accept = "application/json", signal } = request;
  const headers = { Accept: accept, ...(apiKey === undefined ? {} : { "x-api-key": apiKey }) };
  noteSecrets(apiKey);
  // Each request gets a new connection: the server may close a kept one just as a run is sent on it, and a run cannot be sent again.
  const axios = await openAxios({ baseUrl: url, headers, keepAlive: false });
  const sent = { method, path, query, body, as: "stream", limitMs, within: within(address), signal } as const;
  const response = await tracedTry({ method, path, baseUrl: url, attempt: 1 }, () => exchange<Readable>(axios, sent));
  if (response.status >= 200 && response.status < 300) return response;
  throw refusal(request, response, await readWhole(address, request, response.data), Date.now());
}

/** The answer to a request, as JSON, complete within the time limit of a request. Errors as those of {@link sendRequest}; StreamError if it is not JSON. */
export async function fetchJson(address: AgentAddress, request: AgentRequest): Promise<unknown> {
  const { data } = await sendRequest(address, request);
  const text = await readWhole(address, request, data);
  try {
    return JSON.parse(text);
  } catch {
    // The cause is not kept: it quotes the answer.
    throw new StreamError(
      undefined,
      `cannot begin: the answer is not valid JSON (${text.length} characters). Is the url the agent's address?`,
    );
  }
}

const within = ({ requestTimeoutMs }: AgentAddress): string => `within ${requestTimeoutMs / 1000} seconds`;

function check({ url, apiKey, allowInsecure }: AgentAddress): void {
  const problem = serverProblem(url);
  if (problem !== undefined) throw new ArgumentError("url", problem);
  if (isInsecure(url) && !allowInsecure) {
    const reason = "is plain http to another machine, which would expose the key on the network: use https";
    throw new ArgumentError("url", reason, "allowInsecure");
  }
  const wrong = apiKey === undefined ? undefined : headerProblem(apiKey);
  if (wrong !== undefined) throw new ArgumentError("apiKey", wrong);
}

/** A short body as text, within the time limit of a request; anything beyond the longest is not read. */
async function readWhole(
  address: AgentAddress,
  { method, path, signal }: AgentRequest,
  body: Readable,
): Promise<string> {
  const late = new Error(`it was not complete ${within(address)}`);
  const timer = setTimeout(() => body.destroy(late), address.requestTimeoutMs);
  const stop = () => body.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of body) {
      if (!Buffer.isBuffer(part)) continue;
      parts.push(part);
      size += part.length;
      if (size > MAX_BYTES) break;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new TransportError(method, path, safeText(messageOf(error)), true);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    body.destroy();
  }
  return Buffer.concat(parts).toString("utf8", 0, MAX_BYTES);
}
