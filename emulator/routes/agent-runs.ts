import { randomUUID } from "node:crypto";
import { findAssistant, isUuid, unknownThreadOrAssistant, type Assistant } from "../agents/assistants";
import type { Run } from "../agents/run";
import type { RunPlan, ThreadMemory } from "../agents/runs";
import { ApiError } from "../base/api-error";
import type { ThreadRecord } from "../platform/thread-record";
import { errorStream, eventStream, runFields, waitedFor } from "./agent-answers";
import { AGENT_PATH, agentLookups } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";
import { readRunBody, type RunBody } from "./run-body";

/** docs/platform.md, Streaming runs: the runs of an agent, below the deployment's address. */
export const agentRunRoutes: RouteFactory = (services) => {
  const { runs, agents, clock } = services;
  const { threads } = services.platform;
  const { agentOf, threadOf } = agentLookups(services);

  /** Loads the latest state at that moment: another run may come first. */
  const memoryOf = (thread: ThreadRecord): ThreadMemory => ({
    load: () => threads.get(thread.tenant_id, thread.id)?.values ?? {},
    save: (state) => threads.saveValues(thread, state, clock.now()),
  });

  const startStateless = (request: ApiRequest): Run => {
    const { graphs } = agentOf(request);
    const body = readRunBody(request.body, "RunCreateStateless");
    const assistant = findAssistant(graphs, body.assistant_id);
    return runs.start(planOf(assistant, body, randomUUID(), undefined));
  };
  const streamStateless = (request: ApiRequest): Response => {
    const run = startStateless(request);
    // No other request can ever read it.
    const output = run.read(allModes, () => run.abort());
    return eventStream(output, `/runs/${run.id}`);
  };

  const startOnThread = (request: ApiRequest): { run: Run; body: RunBody } => {
    const agent = agentOf(request);
    const body = readRunBody(request.body, "RunCreateStateful");
    const threadId = request.param("thread_id").toLowerCase();
    if (!isUuid(threadId)) throw new ApiError(400, "badly formed hexadecimal UUID string");
    const assistant = findAssistant(agent.graphs, body.assistant_id);
    const found = threadOf(request, agent.deploymentId);
    if (found === undefined && body.if_not_exists === "reject") throw unknownThreadOrAssistant();
    const thread = found ?? threads.create(agent, {}, request.now, threadId);
    const { multitask_strategy: strategy } = body;
    if (strategy === "reject" && runs.isBusy(thread.id)) {
      const advice = "Wait for it to finish or choose a different multitask strategy.";
      throw new ApiError(409, `Thread is already running a task. ${advice}`);
    }
    if (strategy === "interrupt" || strategy === "rollback") runs.interrupt(thread.id);
    return { run: runs.start(planOf(assistant, body, thread.id, memoryOf(thread))), body };
  };
  const streamOnThread = (request: ApiRequest): Response => {
    const { run, body } = startOnThread(request);
    const left = () => (body.on_disconnect === "cancel" ? run.abort() : undefined);
    return eventStream(run.read(allModes, left), pathOf(run));
  };
  const createBackgroundRun = (request: ApiRequest): Response => {
    const { run } = startOnThread(request);
    return Response.json(runFields(run), { headers: { "content-location": pathOf(run) } });
  };

  /** The run in the path; undefined unless this deployment's thread has it. */
  const runOf = (request: ApiRequest): Run | undefined => {
    const { deploymentId } = agentOf(request);
    const [threadId, runId] = [request.param("thread_id"), request.param("run_id")];
    if (!isUuid(threadId)) throw new ApiError(422, "Invalid thread ID: must be a UUID");
    if (!isUuid(runId)) throw new ApiError(422, "Invalid run ID: must be a UUID");
    const isKnown = threadOf(request, deploymentId) !== undefined;
    return isKnown ? runs.find(threadId.toLowerCase(), runId.toLowerCase()) : undefined;
  };
  const foundRun = (request: ApiRequest): Run => {
    const run = runOf(request);
    if (run === undefined) throw new ApiError(404, `Run with ID ${request.param("run_id")} not found`);
    return run;
  };
  const joinStream = (request: ApiRequest): Response => {
    const run = runOf(request);
    if (run === undefined) {
      const location = `/threads/${request.param("thread_id")}/runs/${request.param("run_id")}`;
      return errorStream(agents.stream, location, { error: "HTTPException", message: "404: Run not found" });
    }
    // Empty is not set: so the Python client sends a mode that it was not given.
    const wanted = request.query("stream_mode") ?? "";
    return eventStream(run.read(wanted === "" ? allModes : onlyMode(wanted)), pathOf(run));
  };
  const list = (request: ApiRequest): Response => {
    const { deploymentId } = agentOf(request);
    const thread = threadOf(request, deploymentId);
    if (thread === undefined) throw new ApiError(404, `Thread with ID ${request.param("thread_id")} not found`);
    return Response.json(runs.ofThread(thread.id).map(runFields));
  };

  const ofThread = `${AGENT_PATH}/threads/:thread_id/runs`;
  return [
    // The agent server's own, not the control plane's: it answers in both contracts.
    { method: "POST", path: `${AGENT_PATH}/runs/stream`, contract: "documented", handle: streamStateless },
    { method: "POST", path: `${ofThread}/stream`, contract: "documented", handle: streamOnThread },
    { method: "GET", path: `${ofThread}/:run_id/stream`, contract: "documented", handle: joinStream },
    // Not documented, but on every real server (docs/platform.md, Endpoints): it makes the background run that a join needs.
    { method: "POST", path: ofThread, contract: "extended", handle: createBackgroundRun },
    { method: "GET", path: ofThread, contract: "extended", handle: list },
    {
      method: "POST",
      path: `${AGENT_PATH}/runs/wait`,
      contract: "extended",
      handle: (request) => waitedFor(startStateless(request)),
    },
    {
      method: "POST",
      path: `${ofThread}/wait`,
      contract: "extended",
      handle: (request) => waitedFor(startOnThread(request).run),
    },
    {
      method: "GET",
      path: `${ofThread}/:run_id`,
      contract: "extended",
      handle: (request) => Response.json(runFields(foundRun(request))),
    },
    {
      method: "GET",
      path: `${ofThread}/:run_id/join`,
      contract: "extended",
      handle: (request) => waitedFor(foundRun(request)),
    },
  ];
};

const pathOf = ({ id, request }: Run): string => `/threads/${request.threadId}/runs/${id}`;

const allModes = (): boolean => true;

/** A filter of a join: that mode, and the events that belong to no mode. */
const onlyMode = (wanted: string) => (mode: string) => ["metadata", "error", "end", wanted].includes(mode);

function planOf(
  { graph, graphId, assistantId }: Assistant,
  { input, modes, stream_subgraphs: subgraphs, multitask_strategy: multitaskStrategy }: RunBody,
  threadId: string,
  memory: ThreadMemory | undefined,
): RunPlan {
  return { graph, graphId, assistantId, input, modes, subgraphs, multitaskStrategy, threadId, memory };
}
