import { randomUUID } from "node:crypto";
import { findAssistant, type GraphAssistant, isUuid, unknownThreadOrAssistant } from "../agents/assistants";
import { resultBody } from "../agents/result";
import type { Run } from "../agents/run";
import type { RunPlan } from "../agents/runs";
import { ApiError } from "../base/api-error";
import { eventStream, resultAnswer, runFields } from "./agent-answers";
import { AGENT_PATH, agentLookups } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";
import { z } from "zod";
import { streamMode, type StreamMode } from "../agents/stream-modes";
import { agentBody, fields } from "./agent-body";

/** A new run, and what happens if the client that waits for it leaves. */
interface Started {
  readonly run: Run;
  readonly left: () => void;
}

/** docs/internals/platform.md, Streaming runs: the endpoints that start a run. */
export const agentRunRoutes: RouteFactory = (services) => {
  const { runs, agents } = services;
  const { threads } = services.platform;
  const { agentOf, assistantsOf, threadOf } = agentLookups(services);

  const startStateless = (request: ApiRequest): Started => {
    const agent = agentOf(request);
    const body = readRunBody(request.body);
    const assistant = findAssistant(agent, assistantsOf(agent), body.assistant_id);
    const run = runs.start(planOf(assistant, body, { threadId: randomUUID(), metadata: {}, memory: undefined }));
    // No other request can ever read it.
    return { run, left: () => run.abort() };
  };

  const startOnThread = (request: ApiRequest): Started => {
    const agent = agentOf(request);
    const body = readRunBody(request.body);
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
    const run = runs.start(planOf(assistant, body, { threadId, metadata, memory: { thread, threads } }));
    return { run, left: () => (body.on_disconnect === "cancel" ? run.abort() : undefined) };
  };

  const streamStateless = (request: ApiRequest): Response => {
    const { run, left } = startStateless(request);
    return eventStream(run.read(allModes, left), `/runs/${run.id}`);
  };
  const streamOnThread = (request: ApiRequest): Response => {
    const { run, left } = startOnThread(request);
    return eventStream(run.read(allModes, left), pathOf(run));
  };
  const resultOf = ({ run, left }: Started): Response =>
    resultAnswer(resultBody(run, agents.stream, left), pathOf(run));
  const startInBackground = (request: ApiRequest): Response => {
    const { run } = startOnThread(request);
    return Response.json(runFields(run), { headers: { "content-location": pathOf(run) } });
  };

  const ofThread = `${AGENT_PATH}/threads/:thread_id/runs`;
  return [
    { method: "POST", path: `${AGENT_PATH}/runs/stream`, contract: "documented", handle: streamStateless },
    { method: "POST", path: `${ofThread}/stream`, contract: "documented", handle: streamOnThread },
    {
      method: "POST",
      path: `${AGENT_PATH}/runs/wait`,
      contract: "extended",
      handle: (request) => resultOf(startStateless(request)),
    },
    {
      method: "POST",
      path: `${ofThread}/wait`,
      contract: "extended",
      handle: (request) => resultOf(startOnThread(request)),
    },
    // Not documented, but on every real server (docs/internals/platform.md, Endpoints): it makes the background run that a join needs.
    { method: "POST", path: ofThread, contract: "extended", handle: startInBackground },
  ];
};

const allModes = (): boolean => true;

const pathOf = ({ id, request }: Run): string => `/threads/${request.threadId}/runs/${id}`;

const namesOf = ({ graphId, assistantId }: GraphAssistant) => ({ graph_id: graphId, assistant_id: assistantId });

function planOf(
  assistant: GraphAssistant,
  {
    input,
    context,
    modes,
    stream_subgraphs: subgraphs,
    multitask_strategy: multitaskStrategy,
    stream_resumable: resumable,
  }: RunBody,
  { metadata, ...on }: Pick<RunPlan, "threadId" | "metadata" | "memory">,
): RunPlan {
  const known = { created_by: "system", ...metadata, ...namesOf(assistant) };
  const inContext = { ...assistant.context, ...context };
  return {
    ...assistant,
    ...on,
    context: inContext,
    input,
    modes,
    subgraphs,
    multitaskStrategy,
    resumable,
    metadata: known,
  };
}

const runBody = z.object({
  assistant_id: z.string(),
  input: z.unknown().optional(),
  context: fields.nullish(),
  stream_mode: z.preprocess((mode) => (typeof mode === "string" ? [mode] : mode), z.array(streamMode).default([])),
  stream_resumable: z.boolean().default(false),
  stream_subgraphs: z.boolean().default(false),
  multitask_strategy: z.enum(["enqueue", "reject", "interrupt", "rollback"]).default("enqueue"),
  on_disconnect: z.enum(["continue", "cancel"]).default("continue"),
  if_not_exists: z.enum(["create", "reject"]).default("reject"),
});

/** The body of a request for a run. Fields that the emulator does not know are ignored, as real servers do. */
interface RunBody extends Omit<z.infer<typeof runBody>, "stream_mode"> {
  readonly modes: readonly StreamMode[];
}

/** The body of POST …/runs, …/runs/stream and …/runs/wait. */
export function readRunBody(body: string): RunBody {
  const { stream_mode: modes, ...rest } = agentBody(runBody, body);
  // An empty list means the default, as in the Python server.
  return { ...rest, modes: modes.length === 0 ? ["values"] : modes };
}
