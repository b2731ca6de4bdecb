import { Agent as HttpAgent, request as requestByHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as requestByHttps, type RequestOptions } from "node:https";
import type { AxiosInstance, AxiosResponse } from "axios";
import { z } from "zod";
import { isLoopback } from "../base/address";
import { AgentPlatformError, HttpError, TransportError } from "../base/errors";
import { stringifyJson } from "../base/json";
import { safeText } from "../base/masker";
import { userAgent } from "../base/version";
import { detailOf, isPlatformsOwn } from "./detail";
import type { Request } from "./request";
import { requestIdOf } from "./request-log";
import { parseRetryAfter } from "./retry";

// Sends every request of this package, to the platform and to agents: once, without following redirects, and with errors that show no secret.

export interface Destination {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a connection serves several requests: a kept one may be closed just as a request is sent on it. */
  readonly keepAlive: boolean;
  /** The longest body; the request fails if it is longer. @default any length */
  readonly maxBytes?: number;
}

interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  readonly body?: unknown;
  /** Its body: read whole, or as it comes. */
  readonly as: "text" | "stream";
  /** Until the answer is there: the whole of it, or the headers of a stream. In milliseconds. */
  readonly limitMs: number;
  /** The limit in words: "within 30 seconds". */
  readonly within: string;
  /** Aborts the request; the error is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** axios for one destination. It is loaded by the first request: a preview without changes sends none. */
export async function openAxios({ baseUrl, headers, keepAlive, maxBytes }: Destination): Promise<AxiosInstance> {
  const { default: axios } = await import("axios");
  return axios.create({
    baseURL: baseUrl,
    // Requests to this machine skip the proxy: it would get the key in plain text, and could not reach this machine anyway.
    ...(isLoopback(new URL(baseUrl).hostname) ? { proxy: false } : {}),
    ...(maxBytes === undefined ? {} : { maxContentLength: maxBytes }),
    maxRedirects: 0, // the key would follow them
    transformResponse: (body: unknown) => body,
    validateStatus: () => true,
    // No request waits for a socket: the limiter bounds how many are under way.
    httpAgent: new HttpAgent({ keepAlive }),
    httpsAgent: new HttpsAgent({ keepAlive }),
    headers: { Accept: "application/json", "User-Agent": userAgent(), ...headers },
  });
}

/** Sends a request. Gives any answer, whatever its status. Errors: TransportError; AgentPlatformError for a certificate; the signal's reason. */
export async function exchange<Body>(
  axios: AxiosInstance,
  { method, path, query, body, as, limitMs, within, signal }: HttpRequest,
): Promise<AxiosResponse<Body>> {
  // One limit for the connection, the first byte and the body: axios' own timeout restarts with each byte of a slow body.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  const stop = () => limit.abort();
  signal?.addEventListener("abort", stop, { once: true });
  const sent = new Dispatch();
  try {
    signal?.throwIfAborted();
    return await axios.request<Body>({
      method,
      url: path,
      params: query,
      responseType: as,
      signal: limit.signal,
      transport: sent,
      ...(body === undefined ? {} : { data: stringifyJson(body), headers: { "Content-Type": "application/json" } }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const { mayHaveArrived } = sent;
    if (!limit.signal.aborted) throw failure(method, path, error, mayHaveArrived);
    const late = as === "text" ? "it was not complete" : "it did not begin";
    const problem = mayHaveArrived ? late : "it was not sent, because there was no connection";
    throw new TransportError(method, path, `${problem} ${within}`, mayHaveArrived);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** The error for an answer that is no success. @param now The platform's clock, for a Retry-After that is a date. */
export function refusal(
  { method, path, secrets }: Pick<HttpRequest, "method" | "path"> & Pick<Request, "secrets">,
  { status, headers }: Pick<AxiosResponse, "status" | "headers">,
  body: string,
  now: number,
): HttpError {
  if (status >= 300 && status < 400) {
    const reason = `redirects are not followed, because they would take the key along${placeIn(headers, secrets)}; set the base URL to the final address`;
    return new HttpError(method, path, status, reason, undefined, false);
  }
  if (status === 407) {
    const reason =
      "the proxy wants other credentials: put user and password into its address in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY";
    return new HttpError(method, path, status, reason, undefined, false);
  }
  const retryAfter = parseRetryAfter(headers["retry-after"], now);
  const isPlatforms = isPlatformsOwn(body, contentTypeOf(headers));
  return new HttpError(method, path, status, detailOf(body, secrets), retryAfter, isPlatforms, requestIdOf(headers));
}

/** Where a redirect leads, in words: without user, password and query, which may be a login. */
function placeIn({ location }: AxiosResponse["headers"], secrets: Request["secrets"]): string {
  const [place = ""] = typeof location === "string" ? location.split(/[?#]/) : [];
  return place === "" ? "" : `; this one leads to ${detailOf(place.replace(/\/\/[^/]*@/, "//"), secrets)}`;
}

export function contentTypeOf(headers: AxiosResponse["headers"]): string {
  const header: unknown = headers["content-type"];
  return typeof header === "string" ? header : "";
}

// Node's names for problems with a certificate.
const UNTRUSTED = /^(UNABLE_TO_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA)/;
const Failure = z.object({ code: z.string().catch(""), message: z.string().catch("") });

// The cause is not kept: axios attaches the request, including the header with the API key.
function failure(method: string, path: string, error: unknown, mayHaveArrived: boolean): AgentPlatformError {
  const { code, message } = Failure.catch({ code: "", message: "" }).parse(error);
  const [, most] = /^maxContentLength size of (\d+) exceeded/.exec(message) ?? [];
  if (most !== undefined)
    return new TransportError(method, path, `it has more than ${Number(most) / 2 ** 20} MiB`, mayHaveArrived, true);
  // The base URL has been checked.
  if (code === "ERR_INVALID_URL")
    return new AgentPlatformError(
      `${method} ${path} was not sent: the environment's proxy is no URL: correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY`,
    );
  const reason = safeText(code && !message.includes(code) ? `${message} (${code})` : message || "unknown error");
  // Nothing was sent, and a second try would get the same certificate, so the error must not cause a retry.
  if (UNTRUSTED.test(code)) {
    return new AgentPlatformError(
      `${method} ${path} was not sent: the certificate at the base URL is not trusted: ${reason}. ` +
        "If your own CA signed it, set the environment variable NODE_EXTRA_CA_CERTS to the path of that CA's certificate (PEM)",
    );
  }
  return new TransportError(method, path, reason, mayHaveArrived);
}

/** Sends one request as axios' `transport`, and knows whether any part of the request may have arrived. */
class Dispatch {
  /** False if there never was a connection: then the request certainly had no effect. */
  mayHaveArrived = false;

  request(options: RequestOptions, onAnswer: (answer: IncomingMessage) => void): ClientRequest {
    const isSecure = options.protocol === "https:";
    const request = (isSecure ? requestByHttps : requestByHttp)(options, onAnswer);
    request.once("socket", (socket) => {
      const connected = () => (this.mayHaveArrived = true);
      // Nothing is sent before the handshake is done.
      if (socket.connecting) socket.once(isSecure ? "secureConnect" : "connect", connected);
      else connected();
    });
    return request;
  }
}
