import { z } from "zod";
import type { LastRun, ThreadRecord } from "../platform/agent-records";
import type { ThreadService } from "../platform/thread-service";
import { ChunkEmitter } from "./chunk-emitter";
import { Execution } from "./execution";
import type { Graph, GraphState } from "./graph";
import { GraphError } from "./node-execution";
import type { StreamSettings } from "./reader";
import { frame } from "./sse";
import { Run, type RunRequest } from "./run";

/** The thread that a run works on, and where its state is kept. */
interface ThreadMemory {
  readonly thread: ThreadRecord;
  readonly threads: ThreadService;
}

/** The graph to run, its input, and the chunks to send. */
export interface RunPlan extends RunRequest {
  readonly graph: Graph;
  readonly context: GraphState;
  /** undefined for a stateless run. */
  readonly memory: ThreadMemory | undefined;
}

/** All runs of an emulator. Those of one thread run one after the other; a finished one is remembered by its id. */
export class Runs {
  private readonly byThread = new Map<string, Map<string, Run>>();
  private readonly lastRunOfThread = new Map<string, Promise<void>>();
  private readonly unfinished = new Set<Run>();

  /** @param save Saves what is stored; never rejects. */
  constructor(
    private readonly settings: StreamSettings,
    private readonly save: () => Promise<void>,
  ) {}

  /** Creates a run. It starts after the current turn, so that a reader that joins at once misses nothing. */
  start(plan: RunPlan): Run {
    const { graph: _graph, context: _context, memory, ...request } = plan;
    const run = new Run(request, this.settings);
    const key = memory?.thread.id ?? run.id;
    this.unfinished.add(run);
    const runs = this.byThread.get(key) ?? new Map<string, Run>();
    if (memory !== undefined) this.byThread.set(key, runs.set(run.id, run));
    const before = this.lastRunOfThread.get(key) ?? Promise.resolve();
    const done = before
      .then(() => this.execute(run, plan))
      .finally(() => {
        this.unfinished.delete(run);
        if (this.lastRunOfThread.get(key) === done) this.lastRunOfThread.delete(key);
      });
    this.lastRunOfThread.set(key, done);
    return run;
  }

  find(key: string, runId: string): Run | undefined {
    return this.byThread.get(key)?.get(runId);
  }

  /** The runs of a thread that are remembered, newest first. */
  ofThread(key: string): readonly Run[] {
    return [...(this.byThread.get(key)?.values() ?? [])].reverse();
  }

  isBusy(key: string): boolean {
    return this.lastRunOfThread.has(key);
  }

  interrupt(key: string): void {
    for (const run of this.byThread.get(key)?.values() ?? []) if (!run.isOver) run.abort();
  }

  forgetThread(key: string): void {
    this.byThread.delete(key);
  }

  /** Ends all runs and forgets them. */
  clear(): void {
    for (const run of this.unfinished) run.abort();
    this.byThread.clear();
  }

  private async execute(run: Run, plan: RunPlan): Promise<void> {
    const ended = await this.outcomeOf(run, plan);
    run.failure = ended.error;
    // Before the stream ends: its reader may ask for the thread at once.
    plan.memory?.threads.end(plan.memory.thread, ended, this.settings.clock.now());
    if (plan.memory !== undefined) await this.save();
    if (ended.error !== null) void run.send("error", frame("error", ended.error));
    run.finish(ended.status === "idle" ? "success" : ended.status);
  }

  private async outcomeOf(run: Run, plan: RunPlan): Promise<LastRun> {
    const { graph, context, graphId, assistantId, input, threadId, memory } = plan;
    try {
      run.signal.throwIfAborted();
      run.status = "running";
      void run.send("metadata", frame("metadata", { run_id: run.id, attempt: 1 }));
      requireInput(input);
      const identity = { runId: run.id, threadId, assistantId, graphId, checkpointed: memory !== undefined };
      const emitter = new ChunkEmitter(run, this.settings.clock, identity, plan);
      const execution = new Execution(emitter, { ...graph.context, ...context });
      // The latest state at this moment: another run may have come first.
      const before = memory?.threads.stateOf(memory.thread) ?? {};
      await execution.run(graph, input, before, run.signal, (reached) => {
        if (run.signal.aborted) return;
        run.values = reached.values;
        memory?.threads.reach(memory.thread, run.id, reached, this.settings.clock.now());
      });
      return { status: "idle", error: null, failed_node: null };
    } catch (error) {
      if (run.signal.aborted) return { status: "interrupted", error: null, failed_node: null };
      const failedNode = error instanceof GraphError ? error.node : null;
      return { status: "error", error: failureOf(error), failed_node: failedNode };
    }
  }
}

const anyObject = z.record(z.string(), z.unknown());

function requireInput(input: unknown): void {
  if (input === undefined || input === null) {
    throw new GraphError("EmptyInputError", "Received no input for __start__");
  }
  if (!anyObject.safeParse(input).success) {
    throw new GraphError("InvalidUpdateError", `Expected dict, got ${JSON.stringify(input)}`);
  }
}

function failureOf(error: unknown): LastRun["error"] {
  if (error instanceof GraphError) return { error: error.error, message: error.message };
  // A mistake of the emulator itself: its author needs the trace.
  console.error(error);
  return { error: "InternalServerError", message: "The emulator failed" };
}
