import type { AxiosInstance, AxiosResponse } from "axios";
import type { z } from "zod";
import { LONGEST_TIMER_MS, type Clock } from "../base/clock";
import { type Connection } from "../base/connection";
import { AnswerError, messageOf } from "../base/errors";
import { excessOf, parseJson } from "../base/json";
import { noteSecrets, safeText } from "../base/masker";
import { detailOf } from "./detail";
import { requestIdOf, requestLog, type Fallback, type Tried } from "./request-log";
import type { RequestLimits } from "./limiter";
import { NO_BODY, type Request, type Send } from "./request";
import { isRead, repeat } from "./retry";
import { tracedTry } from "./traced";
import { contentTypeOf, exchange, openAxios, refusal } from "./transport";

/** What a request function needs from its process. */
export interface SendOptions {
  readonly clock: Clock;
  /** A number in [0, 1), to spread retries and polls. */
  readonly random: () => number;
  readonly limits: RequestLimits;
  /** Called before each request that can change something; throws or ends the process if the engine that would record the change is gone. */
  readonly checkAlive: () => Promise<void>;
  /** Aborted when the run is cancelled: waits then end at once, and nothing is retried. A request that is under way still gets its answer. */
  readonly signal?: AbortSignal | undefined;
  /** What this process has written: counted before and after each request that can change something. A list from before a write answers no read after it. */
  readonly writes: { count: number };
  /** Gets the log of requests, if the connection asks for one. */
  readonly log?: Fallback | undefined;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** The request function of a connection, for the control plane or the sandbox API. */
export function createSend(connection: Connection, baseUrl: string, options: SendOptions): Send {
  noteSecrets([connection.apiKey, connection.bearerToken]);
  const { clock, random, limits, signal } = options;
  const { requestAttempts: attempts, requestBudget } = connection;
  const limit = limits.of(connection, baseUrl);
  const pacing = { clock, random, signal, limit, attempts, budgetMs: requestBudget * 1000 };
  const site: Site = { connection, baseUrl, clock, log: requestLog(connection, baseUrl, options.log) };
  let http: Promise<AxiosInstance> | undefined;
  return (request, answer, until) =>
    repeat(request, pacing, until, async (attempt) => {
      const writes = isRead(request) ? 0 : 1;
      // Without an engine, nobody would record what a write did; a read does no harm.
      if (!isRead(request)) await options.checkAlive();
      http ??= openAxios({ baseUrl, headers: headersOf(connection), keepAlive: true, maxBytes: MAX_BYTES });
      options.writes.count += writes;
      try {
        const left = request.effort === "once" && until !== undefined ? until - clock.now() : Infinity;
        const axios = await http;
        const { method, path } = request;
        const response = await tracedTry({ method, path, baseUrl, attempt }, () =>
          sendOnce(axios, request, attempt, site, left),
        );
        return { data: parseAnswer(request, response, answer), date: dateOf(response), status: response.status };
      } finally {
        options.writes.count += writes;
      }
    });
}

interface Site {
  readonly connection: Connection;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly log: ReturnType<typeof requestLog>;
}

const headersOf = ({ apiKey, bearerToken, tenantId, organizationId }: Connection): Record<string, string> => ({
  ...(apiKey === undefined ? {} : { "X-Api-Key": apiKey }),
  ...(bearerToken === undefined ? {} : { Authorization: `Bearer ${bearerToken}` }),
  ...(tenantId === undefined ? {} : { "X-Tenant-Id": tenantId }),
  ...(organizationId === undefined ? {} : { "X-Organization-Id": organizationId }),
});

/** @param longestMs For a request that gets less time than every request. */
async function sendOnce(
  axios: AxiosInstance,
  request: Request,
  attempt: number,
  site: Site,
  longestMs: number,
): Promise<AxiosResponse<string>> {
  const { method, path, query, body } = request;
  const seconds = site.connection.requestTimeout;
  const limitMs = Math.min(seconds * 1000, longestMs, LONGEST_TIMER_MS);
  const within = longestMs < seconds * 1000 ? "in time" : `within ${seconds} seconds (requestTimeout)`;
  const began = performance.now();
  const log = (outcome: Omit<Tried, "attempt" | "tookMs">): void =>
    site.log?.(request, { ...outcome, attempt, tookMs: performance.now() - began });
  let response: AxiosResponse<string>;
  try {
    response = await exchange<string>(axios, { method, path, query, body, as: "text", limitMs, within });
  } catch (error) {
    log({ problem: messageOf(error) });
    throw error;
  }
  const { status, headers, data } = response;
  log({ status, requestId: requestIdOf(headers), answer: data });
  if (status >= 200 && status < 300) return response;
  const error = refusal(request, response, data, dateOf(response) ?? site.clock.now());
  if (status === 401 || status === 403) error.message += ` (${whoAsked(site)})`;
  throw error;
}

/** Identifies the sender, so that the reader can see whether the key is old, or belongs to another platform or tenant. */
function whoAsked({ connection: { tenantId }, baseUrl }: Site): string {
  const asked = `${new URL(baseUrl).host}${tenantId === undefined ? "" : `, tenantId ${tenantId}`}`;
  return `asked at ${safeText(asked)}`;
}

function parseAnswer<T>({ method, path, secrets }: Request, response: AxiosResponse<string>, answer: z.ZodType<T>): T {
  const fail = (problem: string): AnswerError => new AnswerError(method, path, response.status, problem);
  let body: unknown;
  if (response.data !== "") {
    try {
      body = parseJson(response.data);
    } catch {
      const excess = excessOf(response.data);
      if (excess !== undefined) throw fail(`the body ${excess}`);
      const [type = ""] = contentTypeOf(response.headers).split(";", 1);
      throw fail(`the body is not JSON (${detailOf(type) || "no content type"}, ${response.data.length} characters)`);
    }
  } else if (answer !== NO_BODY) throw fail("the body is empty");
  const parsed = answer.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  // The platform chooses the names of some fields.
  const wrong = detailOf(`${issue?.path.join(".") || "body"}: ${issue?.message ?? "invalid"}`, secrets);
  throw fail(`the body is not as expected (${wrong})`);
}

function dateOf(response: AxiosResponse<string>): number | undefined {
  const header: unknown = response.headers["date"];
  const time = typeof header === "string" ? Date.parse(header) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
