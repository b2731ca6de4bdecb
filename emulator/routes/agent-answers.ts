import { uuidOf } from "../agents/assistants";
import type { StreamSettings } from "../agents/reader";
import type { Run } from "../agents/run";
import type { ThreadStatus } from "../agents/runs";
import { frame } from "../agents/sse";
import { timestamp } from "../base/clock";
import { asStream } from "../base/streamed";
import type { ThreadRecord } from "../platform/thread-record";

/** An answer whose body is a stream of events. The location is the run's, below the deployment's url. */
export function eventStream(body: ReadableStream<Uint8Array>, location: string): Response {
  const headers = {
    location: `${location}/stream`,
    "content-location": location,
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "content-type": "text/event-stream; charset=utf-8",
    "transfer-encoding": "chunked",
  };
  return asStream(new Response(body, { status: 200, headers }));
}

/** A stream with only an error event: the answer to a join of an unknown run, with status 200. */
export function errorStream(
  { lineEnds, endEvent }: StreamSettings,
  location: string,
  error: { error: string; message: string },
): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(frame("error", error, lineEnds));
      if (endEvent) controller.enqueue(frame("end", null, lineEnds));
      controller.close();
    },
  });
  return eventStream(body, location);
}

/** A thread as it is answered. */
export function threadFields(thread: ThreadRecord, status: ThreadStatus): Record<string, unknown> {
  const { id, metadata, values, created_at, updated_at } = thread;
  const times = { created_at, updated_at, state_updated_at: updated_at };
  return { thread_id: id, ...times, metadata, status, config: {}, values };
}

/** The latest state of a thread; one without a run has none. */
export function threadState({ id, values, updated_at: at }: ThreadRecord): Record<string, unknown> {
  // The same for the same state, as the id of a checkpoint is.
  const checkpointId = values === null ? null : uuidOf(`${id} ${at}`);
  return {
    values: values ?? {},
    next: [],
    tasks: [],
    metadata: {},
    created_at: values === null ? null : at,
    checkpoint: { thread_id: id, checkpoint_ns: "", checkpoint_id: checkpointId },
    parent_checkpoint: null,
    interrupts: [],
    checkpoint_id: checkpointId,
    parent_checkpoint_id: null,
  };
}

/** A run as it is answered. */
export function runFields({ id, request, status, createdAt, updatedAt }: Run): Record<string, unknown> {
  const { threadId, assistantId, graphId, input, modes, subgraphs, multitaskStrategy } = request;
  return {
    run_id: id,
    thread_id: threadId,
    assistant_id: assistantId,
    metadata: { created_by: "system", graph_id: graphId, assistant_id: assistantId },
    status,
    kwargs: { input: input ?? null, stream_mode: modes, subgraphs, temporary: false },
    multitask_strategy: multitaskStrategy,
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  };
}

/** The state that a run leaves behind, once it is over; of one that fails, why. */
export async function waitedFor(run: Run): Promise<Response> {
  await run.ended;
  return Response.json(run.failure === undefined ? run.state : { __error__: run.failure });
}
