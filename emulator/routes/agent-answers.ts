import { uuidOf } from "../agents/graph";
import type { Run } from "../agents/run";
import { timestamp } from "../base/clock";
import { asStream } from "../base/exchange";
import { threadIdOf, type ThreadRecord } from "../platform/agent-records";

/** An answer whose body is a stream of events. The location is the run's, below the deployment's url. */
export const eventStream = (body: ReadableStream<Uint8Array> | string, location: string): Response =>
  streamed(body, location, {
    location: `${location}/stream`,
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "content-type": "text/event-stream; charset=utf-8",
  });

/** What a run leaves behind, as soon as it is over. The location is the run's, below the deployment's url. */
export const resultAnswer = (body: ReadableStream<Uint8Array>, location: string): Response =>
  streamed(body, location, { location: `${location}/join`, "content-type": "application/json" });

function streamed(
  body: ReadableStream<Uint8Array> | string,
  location: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const of = { ...headers, "content-location": location, "transfer-encoding": "chunked" };
  return asStream(new Response(body, { status: 200, headers: of }));
}

export function threadFields(thread: ThreadRecord, isBusy: boolean) {
  const { metadata, values, created_at, updated_at, state_updated_at, last_run: last } = thread;
  return {
    thread_id: threadIdOf(thread),
    created_at,
    updated_at,
    state_updated_at: state_updated_at ?? updated_at,
    metadata,
    status: isBusy ? "busy" : (last?.status ?? "idle"),
    config: last === null ? {} : { configurable: {} },
    values,
    ...(last === null ? {} : { error: last.error, interrupts: {} }),
  };
}

/** The latest checkpoint of a thread: nearly all null before its first run. */
export function threadState(thread: ThreadRecord): Record<string, unknown> {
  const { checkpoint, metadata } = thread;
  const threadId = threadIdOf(thread);
  const reference = (id: string | null | undefined) =>
    id == null ? null : { checkpoint_id: id, thread_id: threadId, checkpoint_ns: "" };
  const made = { created_by: "system", ...metadata, run_attempt: 1, thread_id: threadId, source: "loop", parents: {} };
  return {
    values: checkpoint?.values ?? thread.values ?? {},
    next: checkpoint?.next ?? [],
    tasks: checkpoint?.next.map((name) => nextTask(thread, name, checkpoint.id)) ?? [],
    metadata: checkpoint && { ...made, run_id: checkpoint.run_id, step: checkpoint.step },
    created_at: checkpoint?.created_at ?? null,
    checkpoint: reference(checkpoint?.id),
    parent_checkpoint: reference(checkpoint?.parent_id),
    interrupts: [],
    checkpoint_id: checkpoint?.id ?? null,
    parent_checkpoint_id: checkpoint?.parent_id ?? null,
  };
}

/** A node that comes next, or that failed: its error is written as Python does. */
function nextTask({ last_run: last }: ThreadRecord, name: string, checkpointId: string): Record<string, unknown> {
  const error = last?.failed_node === name && last.error ? `${last.error.error}('${last.error.message}')` : null;
  const unset = { interrupts: [], checkpoint: null, state: null, result: null };
  return { id: uuidOf(`${checkpointId} ${name}`), name, path: ["__pregel_pull", name], error, ...unset };
}

export function runFields({ id, status, createdAt, updatedAt, request }: Run): Record<string, unknown> {
  const { threadId, assistantId, metadata, input, modes, subgraphs, multitaskStrategy } = request;
  return {
    run_id: id,
    thread_id: threadId,
    assistant_id: assistantId,
    metadata,
    status,
    kwargs: { input: input ?? null, stream_mode: modes, subgraphs, temporary: false },
    multitask_strategy: multitaskStrategy,
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
    langsmith_session_name: null,
  };
}
