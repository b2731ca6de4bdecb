import type { Run } from "../agents/run";
import { frame } from "../agents/sse";
import { ApiError } from "../base/api-error";
import { eventStream, resultAnswer, runFields } from "./agent-answers";
import { AGENT_PATH, agentLookups } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";
import { queryInt } from "./validation";

/** docs/internals/platform.md, Streaming runs: the endpoints that read a run, or join it. */
export const agentRunReadRoutes: RouteFactory = (services) => {
  const { runs } = services;
  const { threadIn, runOf } = agentLookups(services);

  const locationOf = ({ param }: ApiRequest): string => `/threads/${param("thread_id")}/runs/${param("run_id")}`;
  const left =
    ({ query }: ApiRequest, run: Run) =>
    () =>
      /^(true|yes|1)$/i.test(query("cancel_on_disconnect") ?? "") ? run.abort() : undefined;

  const list = (request: ApiRequest): Response => {
    const { id } = threadIn(request);
    const limit = queryInt(request.query("limit"), "limit", 0, Number.MAX_SAFE_INTEGER, 10);
    const offset = queryInt(request.query("offset"), "offset", 0, Number.MAX_SAFE_INTEGER, 0);
    const status = request.query("status");
    const found = runs.ofThread(id).filter((run) => status === undefined || run.status === status);
    return Response.json(found.slice(offset, offset + limit).map(runFields));
  };
  const read = (request: ApiRequest): Response => {
    const run = runOf(request);
    threadIn(request);
    if (run === undefined) throw new ApiError(404, "Not Found");
    return Response.json(runFields(run));
  };
  const join = (request: ApiRequest): Response => {
    const run = runOf(request);
    if (run === undefined) return Response.json({ __error__: UNKNOWN_RUN });
    return resultAnswer(run.result(left(request, run)), locationOf(request));
  };
  const joinStream = (request: ApiRequest): Response => {
    const run = runOf(request);
    // As on the Python server: an event, with status 200.
    if (run === undefined) return eventStream(frame("error", UNKNOWN_RUN).toString(), locationOf(request));
    // Of several, the last; an empty one, which the Python client sends, is none. As the Python server does.
    const wanted = request.queryList("stream_mode")?.at(-1);
    const filter = wanted === undefined ? () => true : onlyMode(wanted);
    return eventStream(run.read(filter, left(request, run), request.header("last-event-id")), locationOf(request));
  };

  const all = `${AGENT_PATH}/threads/:thread_id/runs`;
  return [
    { method: "GET", path: `${all}/:run_id/stream`, contract: "documented", handle: joinStream },
    { method: "GET", path: all, contract: "extended", handle: list },
    { method: "GET", path: `${all}/:run_id`, contract: "extended", handle: read },
    { method: "GET", path: `${all}/:run_id/join`, contract: "extended", handle: join },
  ];
};

const UNKNOWN_RUN = { error: "HTTPException", message: "404: Run not found" };

/** A filter of a join: that mode, and the events that belong to no mode. */
const onlyMode = (wanted: string) => (mode: string) => ["metadata", "error", wanted].includes(mode);
