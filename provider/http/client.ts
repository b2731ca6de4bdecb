import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { AxiosInstance, AxiosResponse } from "axios";
import { z } from "zod";
import { LONGEST_TIMER_MS, type Clock } from "../base/clock";
import { type Connection } from "../base/connection";
import { AgentPlatformError, AnswerError, HttpError, TransportError } from "../base/errors";
import { detailOf, isPlatformsOwn } from "./detail";
import { Dispatch } from "./dispatch";
import { redact } from "../base/masker";
import { requestIdOf, requestLog, type RequestLogTarget, type Tried } from "./request-log";
import type { RequestLimits } from "./limiter";
import { repeat } from "./repeat";
import { NO_BODY, type Request, type Send } from "./request";
import { isRead, parseRetryAfter } from "./retry";
import { tracedTry } from "./traced";
import { isLoopback } from "../base/address";
import { userAgent } from "../base/version";

/** What a request function takes from its process. */
export interface SendOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: RequestLimits;
  /** Called before each request that can change something: it throws, or ends the process, if nothing would record the change. */
  readonly checkAlive: () => Promise<void>;
  /** Aborted when the run is cancelled: nothing is tried again then. A request under way is answered first. */
  readonly signal?: AbortSignal | undefined;
  /** Told before and after each request that can change something. */
  readonly onWrite?: () => void;
  /** Gets the log of requests, if the connection asks for one. */
  readonly log?: RequestLogTarget["fallback"] | undefined;
}

const MAX_BYTES = 16 * 1024 * 1024;

// Node's names for problems with a certificate.
const UNTRUSTED = /^(UNABLE_TO_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** The request function of a connection, for the control plane or the sandbox API. */
export function createSend(connection: Connection, baseUrl: string, options: SendOptions): Send {
  const keys = [connection.apiKey, connection.bearerToken].filter((key) => key !== undefined);
  const { clock, random, limits, signal } = options;
  const { requestAttempts: attempts, requestBudget } = connection;
  const limit = limits.of(connection, baseUrl);
  const pacing = { clock, random, signal, limit, attempts, budgetMs: requestBudget * 1000 };
  const logged = requestLog(connection, baseUrl, options.log);
  let http: Promise<AxiosInstance> | undefined;
  return async (request, answer, until) => {
    const secrets = [...keys, ...(request.secrets ?? [])];
    let attempt = 0;
    const log = logged && ((tried: Tried) => logged(request, { ...tried, attempt }, secrets));
    const site: Site = { connection, baseUrl, clock, secrets, log };
    return repeat(request, pacing, until, async () => {
      const noteWrite = () => !isRead(request) && options.onWrite?.();
      // An unrecorded read does no harm.
      if (!isRead(request)) await options.checkAlive();
      // axios is loaded by the first request: a preview without changes sends no request.
      http ??= createAxios(connection, baseUrl);
      noteWrite();
      attempt += 1;
      try {
        const left = request.isBrief && until !== undefined ? until - clock.now() : Infinity;
        const axios = await http;
        const response = await tracedTry(
          { method: request.method, path: request.path, baseUrl, attempt },
          () => exchange(axios, request, site, left),
          ({ status, headers }) => ({ status, requestId: requestIdOf(headers) }),
        );
        return { data: parseAnswer(request, response, answer), date: dateOf(response), status: response.status };
      } finally {
        noteWrite();
      }
    });
  };
}

/** Where a request goes, and which secrets no message about it may show. */
interface Site {
  readonly connection: Connection;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly secrets: readonly string[];
  /** Called after each try. */
  readonly log: ((tried: Tried) => void) | undefined;
}

async function createAxios(connection: Connection, baseUrl: string): Promise<AxiosInstance> {
  const { default: axios } = await import("axios");
  const { apiKey, bearerToken, tenantId, organizationId } = connection;
  return axios.create({
    baseURL: baseUrl,
    // Requests to this machine skip the proxy: it would get the key in plain text, and could not reach this machine anyway.
    ...(isLoopback(new URL(baseUrl).hostname) ? { proxy: false } : {}),
    maxContentLength: MAX_BYTES,
    maxRedirects: 0, // the key would follow them
    responseType: "text",
    transformResponse: (body: unknown) => body,
    validateStatus: () => true,
    // No request waits for a socket: the limiter bounds how many are under way.
    httpAgent: new HttpAgent({ keepAlive: true }),
    httpsAgent: new HttpsAgent({ keepAlive: true }),
    headers: {
      Accept: "application/json",
      "User-Agent": userAgent(),
      ...(apiKey === undefined ? {} : { "X-Api-Key": apiKey }),
      ...(bearerToken === undefined ? {} : { Authorization: `Bearer ${bearerToken}` }),
      ...(tenantId === undefined ? {} : { "X-Tenant-Id": tenantId }),
      ...(organizationId === undefined ? {} : { "X-Organization-Id": organizationId }),
    },
  });
}

/** @param longestMs For a request that gets less time than every request. */
async function exchange(
  http: AxiosInstance,
  request: Request,
  site: Site,
  longestMs: number,
): Promise<AxiosResponse<string>> {
  const { method, path } = request;
  const seconds = site.connection.requestTimeout;
  const limitMs = Math.min(seconds * 1000, longestMs, LONGEST_TIMER_MS);
  const dispatch = new Dispatch();
  let response: AxiosResponse<string>;
  // For connection, first byte and body together: axios' own timeout starts again with each byte of a body that drips.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  const began = performance.now();
  const logged = (outcome: Omit<Tried, "tookMs">): void =>
    site.log?.({ ...outcome, tookMs: performance.now() - began });
  try {
    response = await http.request<string>({
      method,
      url: path,
      params: request.query,
      signal: limit.signal,
      transport: dispatch,
      ...(request.body === undefined
        ? {}
        : { data: JSON.stringify(request.body), headers: { "Content-Type": "application/json" } }),
    });
  } catch (error) {
    const { mayHaveArrived } = dispatch;
    if (limit.signal.aborted) {
      const late = mayHaveArrived ? "it was not complete" : "it was not sent, because there was no connection";
      const within = longestMs < seconds * 1000 ? "in time" : `within ${seconds} seconds (requestTimeout)`;
      logged({ problem: `${late} ${within}` });
      throw new TransportError(method, path, `${late} ${within}`, mayHaveArrived);
    }
    const failure = transportError(request, error, site.secrets, mayHaveArrived);
    logged({ problem: failure.message });
    throw failure;
  } finally {
    clearTimeout(timer);
  }
  logged({ status: response.status, requestId: requestIdOf(response.headers), answer: response.data });
  if (response.status >= 200 && response.status < 300) return response;
  throw httpError(request, response, site);
}

function httpError({ method, path }: Request, response: AxiosResponse<string>, site: Site): HttpError {
  const { status } = response;
  if (status >= 300 && status < 400) {
    const reason =
      "redirects are not followed, because they would take the key along; set the base URL to the final address";
    return new HttpError(method, path, status, reason, undefined, false);
  }
  const retryAfter = parseRetryAfter(response.headers["retry-after"], dateOf(response) ?? site.clock.now());
  const isPlatforms = isPlatformsOwn(response.data, contentTypeOf(response));
  const error = new HttpError(
    method,
    path,
    status,
    detailOf(response.data, site.secrets),
    retryAfter,
    isPlatforms,
    requestIdOf(response.headers),
  );
  if (status === 401 || status === 403) error.message += ` (${whoAsked(site)})`;
  return error;
}

/** Who sent the request: enough to see that the key is old, or belongs to another platform or tenant. */
function whoAsked({ connection: { tenantId }, baseUrl, secrets }: Site): string {
  const asked = `${new URL(baseUrl).host}, ${tenantId === undefined ? "no tenantId" : `tenantId ${tenantId}`}`;
  return (
    `asked at ${redact(asked, secrets)}; refresh and destroy use the connection that the state remembers: ` +
    "after `pulumi config set` of a new key run `pulumi up` first"
  );
}

// The cause is not kept: axios attaches the request, including the header with the API key.
function transportError(
  { method, path }: Request,
  error: unknown,
  secrets: readonly string[],
  mayHaveArrived: boolean,
): AgentPlatformError {
  const { code, message } = z
    .object({ code: z.string().catch(""), message: z.string().catch("") })
    .catch({ code: "", message: "" })
    .parse(error);
  const reason = redact(code && !message.includes(code) ? `${message} (${code})` : message || "unknown error", secrets);
  // Nothing was sent, and a second try would meet the same certificate: an error that nothing repeats.
  if (UNTRUSTED.test(code)) {
    return new AgentPlatformError(
      `${method} ${path} was not sent: the certificate at the base URL is not trusted: ${reason}. ` +
        "If your own CA signed it, set the environment variable NODE_EXTRA_CA_CERTS to the path of that CA's certificate (PEM)",
    );
  }
  return new TransportError(method, path, reason, mayHaveArrived);
}

function parseAnswer<T>({ method, path }: Request, response: AxiosResponse<string>, answer: z.ZodType<T>): T {
  const fail = (problem: string): AnswerError => new AnswerError(method, path, response.status, problem);
  let body: unknown;
  if (response.data !== "") {
    try {
      body = JSON.parse(response.data);
    } catch {
      const [type = ""] = contentTypeOf(response).split(";", 1);
      throw fail(`the body is not JSON (${type || "no content type"}, ${response.data.length} characters)`);
    }
  } else if (answer !== NO_BODY) throw fail("the body is empty");
  const parsed = answer.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw fail(`the body is not as expected (${issue?.path.join(".") || "body"}: ${issue?.message ?? "invalid"})`);
}

function contentTypeOf(response: AxiosResponse<string>): string {
  const header: unknown = response.headers["content-type"];
  return typeof header === "string" ? header : "";
}

function dateOf(response: AxiosResponse<string>): number | undefined {
  const header: unknown = response.headers["date"];
  const time = typeof header === "string" ? Date.parse(header) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
