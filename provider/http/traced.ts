import type { AxiosResponse } from "axios";
import { isHttpError } from "../base/errors";
import { currentSpan, within, type Facts } from "../base/spans";
import { requestIdOf } from "./request-log";

interface Try {
  readonly method: string;
  readonly path: string;
  readonly baseUrl: string;
  /** From 1. */
  readonly attempt: number;
}

/** Sends one try of a request in a child span of the current work. The span has its path and its result, but nothing from the query and the bodies. */
export async function tracedTry<Body>(
  { method, path, baseUrl, attempt }: Try,
  send: () => Promise<AxiosResponse<Body>>,
): Promise<AxiosResponse<Body>> {
  const parent = currentSpan();
  if (parent === undefined) return send();
  const route = routeOf(path);
  const { hostname, port } = new URL(baseUrl);
  const facts = {
    "http.request.method": method,
    "url.template": route,
    "server.address": hostname,
    "server.port": port === "" ? undefined : Number(port),
    "agent_platform.attempt": attempt,
  };
  const span = parent.child(`${method} ${route}`, facts, "client");
  return within(span, async () => {
    try {
      const answer = await send();
      span.add(factsOf(answer.status, requestIdOf(answer.headers)));
      return answer;
    } catch (error) {
      if (isHttpError(error)) span.add(factsOf(error.status, error.requestId));
      throw error;
    }
  });
}

const factsOf = (status: number, requestId: string | undefined): Facts => ({
  "http.response.status_code": status,
  "agent_platform.request_id": requestId,
});

/** Plural segments that are not followed by an id, and segments that are not ids although they are in the place of one. */
const AREAS = new Set(["sandboxes", "integrations"]);
const NO_IDS = new Set(["stream", "wait", "mcp-discover", "crons", "search", "current"]);

/** A path without its ids and names: `/v2/deployments/{id}/revisions/{id}`. The segment after a plural is an id or a name. */
export function routeOf(path: string): string {
  let before = "";
  return path
    .split("/")
    .map((segment) => {
      const isVariable = before.endsWith("s") && !AREAS.has(before) && !NO_IDS.has(segment);
      return (before = isVariable ? "{id}" : segment);
    })
    .join("/");
}
