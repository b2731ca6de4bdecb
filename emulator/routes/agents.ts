import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ApiError } from "../base/api-error";
import { timestamp } from "../base/clock";
import { DeploymentDesk } from "../platform/deployment-service";
import type { Call, Noun } from "./route";
import { findAssistant, isUuid, unknownThreadOrAssistant, type Assistant } from "../agents/assistants";
import { createdRun, endedStream, eventStream, threadAnswer } from "./agent-answers";
import { agentJson, readRunBody, type RunBody } from "./run-body";
import type { Run } from "../agents/run";
import type { RunPlan, ThreadMemory } from "../agents/runs";
import { serving } from "../agents/serving";
import { threads, type ThreadRecord } from "../platform/thread-record";

const threadBody = z.object({ metadata: z.record(z.string(), z.unknown()).default({}) });

/** docs/platform.md, Streaming runs: the endpoints below each deployment's url. */
export const agentRoutes: Noun = (services) => {
  const desk = new DeploymentDesk(services);
  const collection = threads.in(services.store);
  const { runs, clock } = services;

  const threadOf = (call: Call, deploymentId: string): ThreadRecord | undefined => {
    const found = collection.get(call.tenant.tenantId, call.param("thread_id").toLowerCase());
    return found?.deployment_id === deploymentId ? found : undefined;
  };

  /** The latest state, at the time of asking: another run may come first. */
  const memoryOf = ({ tenant_id, id }: ThreadRecord): ThreadMemory => {
    const current = () => collection.get(tenant_id, id);
    return {
      load: () => current()?.values ?? {},
      save: (state) => {
        const record = current();
        if (record) collection.put({ ...record, values: { ...state }, updated_at: timestamp(clock.now()) });
      },
    };
  };

  const createThread = (call: Call): Response => {
    const { deploymentId, tenantId } = serving(services, desk, call);
    const body = threadBody.safeParse(agentJson(call.body));
    if (!body.success) throw new ApiError(422, `The body of POST /threads is an object with metadata, or {}`);
    const at = timestamp(call.now);
    const { metadata } = body.data;
    const stored = { tenant_id: tenantId, deployment_id: deploymentId, metadata, values: null };
    return threadAnswer(collection.put({ id: randomUUID(), ...stored, created_at: at, updated_at: at }));
  };

  const stateless = (call: Call): Response => {
    const { graphs } = serving(services, desk, call);
    const body = readRunBody(call.body, "RunCreateStateless");
    const assistant = findAssistant(graphs, body.assistant_id);
    const run = runs.start(planOf(assistant, body, randomUUID(), undefined));
    // Nobody else can ever read it.
    const output = run.read(everything, () => run.abort());
    return eventStream(output, `/runs/${run.id}`);
  };

  const onThread = (call: Call): { run: Run; body: RunBody; assistant: Assistant; thread: ThreadRecord } => {
    const { graphs, deploymentId } = serving(services, desk, call);
    const body = readRunBody(call.body, "RunCreateStateful");
    if (!isUuid(call.param("thread_id"))) throw new ApiError(400, "badly formed hexadecimal UUID string");
    const assistant = findAssistant(graphs, body.assistant_id);
    const thread = threadOf(call, deploymentId);
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

  const stateful = (call: Call): Response => {
    const { run, body, thread } = onThread(call);
    const left = () => (body.on_disconnect === "cancel" ? run.abort() : undefined);
    return eventStream(run.read(everything, left), `/threads/${thread.id}/runs/${run.id}`);
  };

  const background = (call: Call): Response => {
    const { run, body, assistant, thread } = onThread(call);
    return createdRun(run, body, assistant, thread.id, call.now);
  };

  const join = (call: Call): Response => {
    const { deploymentId } = serving(services, desk, call);
    const [threadId, runId] = [call.param("thread_id"), call.param("run_id")];
    if (!isUuid(threadId)) throw new ApiError(422, "Invalid thread ID: must be a UUID");
    if (!isUuid(runId)) throw new ApiError(422, "Invalid run ID: must be a UUID");
    const location = `/threads/${threadId}/runs/${runId}`;
    const known = threadOf(call, deploymentId) !== undefined;
    const run = known ? runs.find(threadId.toLowerCase(), runId.toLowerCase()) : undefined;
    if (run === undefined) {
      return endedStream(services.settings.stream, location, { error: "HTTPException", message: "404: Run not found" });
    }
    const wanted = call.query("stream_mode");
    return eventStream(run.read(wanted === undefined ? everything : only(wanted)), location);
  };

  const ok = (call: Call): Response => {
    serving(services, desk, call);
    return Response.json({ ok: true, services: {} });
  };

  const base = "/agents/:deployment_id";
  const ofThread = `${base}/threads/:thread_id/runs`;
  return [
    // The agent server's own, not the control plane's: it answers whatever contract that has.
    { method: "GET", path: `${base}/ok`, contract: "documented", handle: ok },
    { method: "POST", path: `${base}/threads`, contract: "documented", handle: createThread },
    { method: "POST", path: `${base}/runs/stream`, contract: "documented", handle: stateless },
    { method: "POST", path: `${ofThread}/stream`, contract: "documented", handle: stateful },
    // Not documented, but on every real server (docs/platform.md, Endpoints): what makes the background run that a join needs.
    { method: "POST", path: ofThread, contract: "extended", handle: background },
    { method: "GET", path: `${ofThread}/:run_id/stream`, contract: "documented", handle: join },
  ];
};

const everything = (): boolean => true;

/** A filter of a join: that mode, and what belongs to no mode. */
const only = (wanted: string) => (mode: string) => ["metadata", "error", "end", wanted].includes(mode);

function planOf(
  { graph, graphId, assistantId }: Assistant,
  { input, modes, stream_subgraphs: subgraphs }: RunBody,
  threadId: string,
  memory: ThreadMemory | undefined,
): RunPlan {
  return { graph, graphId, assistantId, input, modes, subgraphs, threadId, memory };
}
