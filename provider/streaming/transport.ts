import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Readable } from "node:stream";
import axios, { type AxiosResponse } from "axios";
import { detailOf } from "../http/detail";
import { redact } from "../base/masker";
import { requestIdOf } from "../http/request-log";
import { tracedTry } from "../http/traced";

import { AgentPlatformError, ArgumentError, HttpError, messageOf, TransportError } from "../base/errors";

import { StreamError } from "./errors";
import { isLoopback, urlProblem } from "../base/address";
import { userAgent } from "../base/version";

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
  readonly accept: "application/json" | "text/event-stream";
  readonly signal: AbortSignal | undefined;
}

/** The longest error answer that is read. */
const MAX_BYTES = 1024 * 1024;

// Each request gets a new connection: the server may close a kept one just as a run is sent on it, and a run cannot be sent again.
const httpAgent = new HttpAgent({ keepAlive: false });
const httpsAgent = new HttpsAgent({ keepAlive: false });

// Only a connection that was never made fails this way; EHOSTUNREACH and ETIMEDOUT also end one on which the request was sent.
const NEVER_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/;

/**
 * One request, sent once and never repeated: a run that was started is not started again. Gives the body of a successful answer as it comes.
 * Errors: ArgumentError before anything is sent; HttpError; TransportError; the signal's reason.
 */
export async function sendRequest(address: AgentAddress, request: AgentRequest): Promise<AxiosResponse<Readable>> {
  check(address);
  const { method, path, body, query, accept, signal } = request;
  const { url, apiKey, requestTimeoutMs } = address;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), requestTimeoutMs);
  const stop = () => limit.abort();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    signal?.throwIfAborted();
    const send = () =>
      axios.request<Readable>({
        method,
        baseURL: url,
        url: path,
        ...(query === undefined ? {} : { params: query }),
        responseType: "stream",
        maxRedirects: 0, // the key would follow them
        validateStatus: () => true,
        // Requests to this machine skip the proxy, which could not reach it.
        ...(isLoopback(new URL(url).hostname) ? { proxy: false } : {}),
        httpAgent,
        httpsAgent,
        signal: limit.signal,
        headers: {
          Accept: accept,
          "User-Agent": userAgent(),
          ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { data: JSON.stringify(body) }),
      });
    const response = await tracedTry({ method, path, baseUrl: url, attempt: 1 }, send, ({ status, headers }) => ({
      status,
      requestId: requestIdOf(headers),
    }));
    if (response.status >= 200 && response.status < 300) return response;
    const redirected =
      response.status < 400 ? "redirects are not followed, because they would take the key along" : undefined;
    const detail = redirected ?? detailOf(await textOf(response.data), secretsOf(address));
    throw new HttpError(method, path, response.status, detail);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof AgentPlatformError) throw error;
    const seconds = requestTimeoutMs / 1000;
    const reason = limit.signal.aborted
      ? `it did not begin within ${seconds} seconds`
      : redact(messageOf(error) || codeOf(error), secretsOf(address));
    // The cause is not kept: axios attaches the request, including the header with the API key.
    throw new TransportError(method, path, reason, !NEVER_SENT.test(codeOf(error)));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** The answer to a request, as JSON, complete within the time limit of a request. Errors as those of `open`; StreamError if it is not JSON. */
export async function fetchJson(address: AgentAddress, request: Omit<AgentRequest, "accept">): Promise<unknown> {
  const { method, path, signal } = request;
  const { data } = await sendRequest(address, { ...request, accept: "application/json" });
  const late = new Error(`it was not complete within ${address.requestTimeoutMs / 1000} seconds`);
  const timer = setTimeout(() => data.destroy(late), address.requestTimeoutMs);
  const stop = () => data.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  const text = await textOf(data)
    .catch((error: unknown) => {
      signal?.throwIfAborted();
      throw new TransportError(method, path, redact(messageOf(error), secretsOf(address)), true);
    })
    .finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    });
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

/** A request of which only the status matters: whether a server answers well. Errors as those of `open`. */
export async function fetchStatus(address: AgentAddress, request: Omit<AgentRequest, "accept">): Promise<void> {
  const { data } = await sendRequest(address, { ...request, accept: "application/json" });
  data.destroy();
}

const secretsOf = ({ apiKey }: AgentAddress): string[] => (apiKey === undefined ? [] : [apiKey]);

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function check({ url, apiKey, allowInsecure }: AgentAddress): void {
  const problem = urlProblem(url);
  if (problem !== undefined) throw new ArgumentError("url", problem);
  const { protocol, hostname } = new URL(url);
  if (protocol === "http:" && !isLoopback(hostname) && !allowInsecure) {
    const reason = "is plain http to another machine, which would expose the key on the network: use https";
    throw new ArgumentError("url", reason, "allowInsecure");
  }
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ArgumentError(
      "apiKey",
      "must be visible ASCII without spaces or line breaks (check that you pasted all of it)",
    );
  }
}

/** A short body as text; anything beyond the limit is not read. */
async function textOf(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of body) {
      if (!Buffer.isBuffer(part)) continue;
      parts.push(part);
      size += part.length;
      if (size > MAX_BYTES) break;
    }
  } finally {
    body.destroy();
  }
  return Buffer.concat(parts).toString("utf8", 0, MAX_BYTES);
}
