import { randomUUID } from "node:crypto";
import { z } from "zod";
import { findAssistant, isUuid, unknownThreadOrAssistant } from "../agents/assistants";
import type { Run } from "../agents/run";
import { namesOf, planRun, runOptions } from "../agents/run-plan";
import { frame } from "../agents/sse";
import { ApiError } from "../base/api-error";
import { eventStream, resultAnswer, runFields } from "./agent-answers";
import { agentBody } from "./agent-body";
import { AGENT_PATH, agentLookups } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";
import { queryInt } from "./validation";

/** A new run, and what happens if the client that waits for it leaves. */
interface Started {
  readonly run: Run;
  readonly left: () => void;
}

/** docs/internals/platform.md, Streaming runs: the endpoints that start a run, read it, or join it. */
export const agentRunRoutes: RouteFactory = (services) => {
  const { platform, runs } = services;
  const { threads } = platform;
  const { agentOf, threadOf, threadIn, runOf } = agentLookups(services);

  const startStateless = (request: ApiRequest): Started => {
    const agent = agentOf(request);
    const body = runBodyOf(request);
    const assistant = findAssistant(platform, agent, body.assistant_id);
    const run = runs.start(planRun(assistant, body, { threadId: randomUUID(), metadata: {}, memory: undefined }));
    // No other request can ever read it.
    return { run, left: () => run.abort() };
  };

  const startOnThread = (request: ApiRequest): Started => {
    const agent = agentOf(request);
    const body = runBodyOf(request);
    const threadId = request.param("thread_id").toLowerCase();
    if (!isUuid(threadId)) throw new ApiError(400, "badly formed hexadecimal UUID string");
    const assistant = findAssistant(platform, agent, body.assistant_id);
    const found = threadOf(request);
    if (found === undefined && body.if_not_exists === "reject") throw unknownThreadOrAssistant();
    const thread = found ?? threads.create(agent, {}, request.now, threadId);
    const { multitask_strategy: strategy } = body;
    if (strategy === "reject" && runs.isBusy(thread.id)) {
      const advice = "Wait for it to finish or choose a different multitask strategy.";
      throw new ApiError(409, `Thread is already running a task. ${advice}`);
    }
    if (strategy === "interrupt" || strategy === "rollback") runs.interrupt(thread.id);
    threads.begin(thread, namesOf(assistant), request.now);
    const { metadata } = thread;
    const run = runs.start(planRun(assistant, body, { threadId, metadata, memory: { thread, threads } }));
    return { run, left: () => (body.on_disconnect === "cancel" ? run.abort() : undefined) };
  };

  type Start = (request: ApiRequest) => Started;
  const streamed = (start: Start, locationOf: (run: Run) => string) => (request: ApiRequest) => {
    const { run, left } = start(request);
    return eventStream(
      run.read(() => true, left),
      locationOf(run),
    );
  };
  const awaited = (start: Start) => (request: ApiRequest) => {
    const { run, left } = start(request);
    return resultAnswer(run.result(left), pathOf(run));
  };
  const startInBackground = (request: ApiRequest): Response => {
    const { run } = startOnThread(request);
    return Response.json(runFields(run), { headers: { "content-location": pathOf(run) } });
  };

  const locationOf = ({ param }: ApiRequest): string => `/threads/${param("thread_id")}/runs/${param("run_id")}`;
  const leaving =
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
    return resultAnswer(run.result(leaving(request, run)), locationOf(request));
  };
  const joinStream = (request: ApiRequest): Response => {
    const run = runOf(request);
    // As on the Python server: an event, with status 200.
    if (run === undefined) return eventStream(frame("error", UNKNOWN_RUN).toString(), locationOf(request));
    // Of several, the last; an empty one, which the Python client sends, is none. As the Python server does.
    const wanted = request.queryList("stream_mode").at(-1);
    const filter = wanted === undefined ? () => true : onlyMode(wanted);
    return eventStream(run.read(filter, leaving(request, run), request.header("last-event-id")), locationOf(request));
  };

  const all = `${AGENT_PATH}/runs`;
  const ofThread = `${AGENT_PATH}/threads/:thread_id/runs`;
  const stream = streamed(startStateless, ({ id }) => `/runs/${id}`);
  return [
    { method: "POST", path: `${all}/stream`, contract: "documented", handle: stream },
    { method: "POST", path: `${ofThread}/stream`, contract: "documented", handle: streamed(startOnThread, pathOf) },
    { method: "POST", path: `${all}/wait`, contract: "extended", handle: awaited(startStateless) },
    { method: "POST", path: `${ofThread}/wait`, contract: "extended", handle: awaited(startOnThread) },
    // Not documented, but on every real server (docs/internals/platform.md, Endpoints): it makes the background run that a join needs.
    { method: "POST", path: ofThread, contract: "extended", handle: startInBackground },
    { method: "GET", path: `${ofThread}/:run_id/stream`, contract: "documented", handle: joinStream },
    { method: "GET", path: ofThread, contract: "extended", handle: list },
    { method: "GET", path: `${ofThread}/:run_id`, contract: "extended", handle: read },
    { method: "GET", path: `${ofThread}/:run_id/join`, contract: "extended", handle: join },
  ];
};

/** As of an assistant, `config.configurable` is the context, and may not stand beside one. */
function runBodyOf({ body }: ApiRequest): z.infer<typeof runBody> {
  const given = agentBody(runBody, body);
  const contexts = [given.config?.configurable, given.context].filter((each) => Object.keys(each ?? {}).length > 0);
  if (contexts.length > 1) throw new ApiError(400, "Give configurable or context, not both");
  return given;
}

const UNKNOWN_RUN = { error: "HTTPException", message: "404: Run not found" };

/** A filter of a join: that mode, and the events that belong to no mode. */
const onlyMode = (wanted: string) => (mode: string) => ["metadata", "error", wanted].includes(mode);

const pathOf = ({ id, request }: Run): string => `/threads/${request.threadId}/runs/${id}`;

/** The body of POST …/runs, …/runs/stream and …/runs/wait. Fields that the emulator does not know are ignored, as real servers do. */
const runBody = runOptions.extend({
  assistant_id: z.string(),
  multitask_strategy: z.enum(["enqueue", "reject", "interrupt", "rollback"]).default("enqueue"),
  on_disconnect: z.enum(["continue", "cancel"]).default("continue"),
  if_not_exists: z.enum(["create", "reject"]).default("reject"),
});
