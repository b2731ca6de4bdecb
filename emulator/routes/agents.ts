import { randomUUID } from "node:crypto";
import { z } from "zod";
import { findAssistant, isUuid, unknownThreadOrAssistant, type Assistant } from "../agents/assistants";
import type { Run } from "../agents/run";
import type { RunPlan, ThreadMemory } from "../agents/runs";
import { ApiError } from "../base/api-error";
import type { ThreadRecord } from "../platform/thread-record";
import { createdRun, errorStream, eventStream, threadFields } from "./agent-answers";
import { AGENT_PATH, agentLookups } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";
import { agentJson, readRunBody, type RunBody } from "./run-body";

const threadBody = z.object({ metadata: z.record(z.string(), z.unknown()).default({}) });

/** docs/platform.md, Streaming runs: the endpoints below each deployment's url. */
export const agentRoutes: RouteFactory = (services) => {
  const { runs, agents, clock } = services;
  const { threads } = services.platform;
  const { agentOf, threadOf } = agentLookups(services);

  /** Loads the latest state at that moment: another run may come first. */
  const memoryOf = (thread: ThreadRecord): ThreadMemory => ({
    load: () => threads.get(thread.tenant_id, thread.id)?.values ?? {},
    save: (state) => threads.saveValues(thread, state, clock.now()),
  });

  const createThread = (request: ApiRequest): Response => {
    const agent = agentOf(request);
    const body = threadBody.safeParse(agentJson(request.body));
    if (!body.success) throw new ApiError(422, `The body of POST /threads is an object with metadata, or {}`);
    return Response.json(threadFields(threads.create(agent, body.data.metadata, request.now), "idle"));
  };

  const streamStateless = (request: ApiRequest): Response => {
    const { graphs } = agentOf(request);
    const body = readRunBody(request.body, "RunCreateStateless");
    const assistant = findAssistant(graphs, body.assistant_id);
    const run = runs.start(planOf(assistant, body, randomUUID(), undefined));
    // No other request can ever read it.
    const output = run.read(allModes, () => run.abort());
    return eventStream(output, `/runs/${run.id}`);
  };

  const startOnThread = (
    request: ApiRequest,
  ): { run: Run; body: RunBody; assistant: Assistant; thread: ThreadRecord } => {
    const { graphs, deploymentId } = agentOf(request);
    const body = readRunBody(request.body, "RunCreateStateful");
    if (!isUuid(request.param("thread_id"))) throw new ApiError(400, "badly formed hexadecimal UUID string");
    const assistant = findAssistant(graphs, body.assistant_id);
    const thread = threadOf(request, deploymentId);
    if (thread === undefined) throw unknownThreadOrAssistant();
    const { multitask_strategy: strategy } = body;
    if (strategy === "reject" && runs.isBusy(thread.id)) {
      const advice = "Wait for it to finish or choose a different multitask strategy.";
      throw new ApiError(409, `Thread is already running a task. ${advice}`);
    }
    if (strategy === "interrupt" || strategy === "rollback") runs.interrupt(thread.id);
    const run = runs.start(planOf(assistant, body, thread.id, memoryOf(thread)));
    return { run, body, assistant, thread };
  };

  const streamOnThread = (request: ApiRequest): Response => {
    const { run, body, thread } = startOnThread(request);
    const left = () => (body.on_disconnect === "cancel" ? run.abort() : undefined);
    return eventStream(run.read(allModes, left), `/threads/${thread.id}/runs/${run.id}`);
  };

  const createBackgroundRun = (request: ApiRequest): Response => {
    const { run, body, assistant, thread } = startOnThread(request);
    return createdRun(run, body, assistant, thread.id, request.now);
  };

  const joinStream = (request: ApiRequest): Response => {
    const { deploymentId } = agentOf(request);
    const [threadId, runId] = [request.param("thread_id"), request.param("run_id")];
    if (!isUuid(threadId)) throw new ApiError(422, "Invalid thread ID: must be a UUID");
    if (!isUuid(runId)) throw new ApiError(422, "Invalid run ID: must be a UUID");
    const location = `/threads/${threadId}/runs/${runId}`;
    const known = threadOf(request, deploymentId) !== undefined;
    const run = known ? runs.find(threadId.toLowerCase(), runId.toLowerCase()) : undefined;
    if (run === undefined) {
      return errorStream(agents.stream, location, { error: "HTTPException", message: "404: Run not found" });
    }
    const wanted = request.query("stream_mode");
    return eventStream(run.read(wanted === undefined ? allModes : onlyMode(wanted)), location);
  };

  const ok = (request: ApiRequest): Response => {
    agentOf(request);
    return Response.json({ ok: true, services: {} });
  };

  const ofThread = `${AGENT_PATH}/threads/:thread_id/runs`;
  return [
    // The agent server's own, not the control plane's: it answers in both contracts.
    { method: "GET", path: `${AGENT_PATH}/ok`, contract: "documented", handle: ok },
    { method: "POST", path: `${AGENT_PATH}/threads`, contract: "documented", handle: createThread },
    { method: "POST", path: `${AGENT_PATH}/runs/stream`, contract: "documented", handle: streamStateless },
    { method: "POST", path: `${ofThread}/stream`, contract: "documented", handle: streamOnThread },
    // Not documented, but on every real server (docs/platform.md, Endpoints): it makes the background run that a join needs.
    { method: "POST", path: ofThread, contract: "extended", handle: createBackgroundRun },
    { method: "GET", path: `${ofThread}/:run_id/stream`, contract: "documented", handle: joinStream },
  ];
};

const allModes = (): boolean => true;

/** A filter of a join: that mode, and the events that belong to no mode. */
const onlyMode = (wanted: string) => (mode: string) => ["metadata", "error", "end", wanted].includes(mode);

function planOf(
  { graph, graphId, assistantId }: Assistant,
  { input, modes, stream_subgraphs: subgraphs }: RunBody,
  threadId: string,
  memory: ThreadMemory | undefined,
): RunPlan {
  return { graph, graphId, assistantId, input, modes, subgraphs, threadId, memory };
}
