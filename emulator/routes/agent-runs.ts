import { randomUUID } from "node:crypto";
import { findAssistant, isUuid, unknownThreadOrAssistant } from "../agents/assistants";
import type { Run } from "../agents/run";
import { namesOf, planRun, runOptions } from "../agents/run-plan";
import { ApiError } from "../base/api-error";
import { eventStream, resultAnswer, runFields } from "./agent-answers";
import { AGENT_PATH, agentLookups } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";
import { z } from "zod";
import { agentBody } from "./agent-body";

/** A new run, and what happens if the client that waits for it leaves. */
interface Started {
  readonly run: Run;
  readonly left: () => void;
}

/** docs/internals/platform.md, Streaming runs: the endpoints that start a run. */
export const agentRunRoutes: RouteFactory = (services) => {
  const { runs } = services;
  const { threads } = services.platform;
  const { agentOf, assistantsOf, threadOf } = agentLookups(services);

  const startStateless = (request: ApiRequest): Started => {
    const agent = agentOf(request);
    const body = runBodyOf(request);
    const assistant = findAssistant(agent, assistantsOf(agent), body.assistant_id);
    const run = runs.start(planRun(assistant, body, { threadId: randomUUID(), metadata: {}, memory: undefined }));
    // No other request can ever read it.
    return { run, left: () => run.abort() };
  };

  const startOnThread = (request: ApiRequest): Started => {
    const agent = agentOf(request);
    const body = runBodyOf(request);
    const threadId = request.param("thread_id").toLowerCase();
    if (!isUuid(threadId)) throw new ApiError(400, "badly formed hexadecimal UUID string");
    const assistant = findAssistant(agent, assistantsOf(agent), body.assistant_id);
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
  ];
};

/** As of an assistant, `config.configurable` is the context, and may not stand beside one. */
function runBodyOf({ body }: ApiRequest): z.infer<typeof runBody> {
  const given = agentBody(runBody, body);
  const contexts = [given.config?.configurable, given.context].filter((each) => Object.keys(each ?? {}).length > 0);
  if (contexts.length > 1) throw new ApiError(400, "Give configurable or context, not both");
  return given;
}

const pathOf = ({ id, request }: Run): string => `/threads/${request.threadId}/runs/${id}`;

/** The body of POST …/runs, …/runs/stream and …/runs/wait. Fields that the emulator does not know are ignored, as real servers do. */
const runBody = runOptions.extend({
  assistant_id: z.string(),
  multitask_strategy: z.enum(["enqueue", "reject", "interrupt", "rollback"]).default("enqueue"),
  on_disconnect: z.enum(["continue", "cancel"]).default("continue"),
  if_not_exists: z.enum(["create", "reject"]).default("reject"),
});
