import { z } from "zod";
import { ChunkEmitter } from "./chunk-emitter";
import { Execution, type Reached } from "./execution";
import type { Graph, GraphState } from "./graph";
import { GraphError } from "./node-execution";
import type { StreamSettings } from "./reader";
import { frame } from "./sse";
import { Run, type RunFailure, type RunRequest } from "./run";

/** How a run ended. */
export interface RunEnd {
  readonly status: "success" | "error" | "interrupted";
  readonly failure: RunFailure | undefined;
  /** The node of the graph that failed. */
  readonly failedNode: string | null;
}

/** The thread that a run works on. */
export interface ThreadMemory {
  /** Distinguishes it from the threads of all agents. */
  readonly key: string;
  load(): GraphState;
  reached(run: Run, reached: Reached): void;
  ended(end: RunEnd): void;
}

/** The graph to run, its input, and the chunks to send. */
export interface RunPlan extends RunRequest {
  readonly graph: Graph;
  /** undefined for a stateless run. */
  readonly memory: ThreadMemory | undefined;
}

/** All runs of an emulator. Those of one thread run one after the other; a finished one is remembered by its id. */
export class Runs {
  private readonly byThread = new Map<string, Map<string, Run>>();
  private readonly lastRunOfThread = new Map<string, Promise<void>>();
  private readonly unfinished = new Set<Run>();

  constructor(private readonly settings: StreamSettings) {}

  /** The number of unfinished runs. */
  get underWay(): number {
    return this.unfinished.size;
  }

  /** Creates a run. It starts after the current turn, so that a reader that joins at once misses nothing. */
  start(plan: RunPlan): Run {
    const { graph: _graph, memory, ...request } = plan;
    const run = new Run(request, this.settings);
    const key = memory?.key ?? run.id;
    this.unfinished.add(run);
    if (memory !== undefined) this.remember(key, run);
    const before = this.lastRunOfThread.get(key) ?? Promise.resolve();
    const done = before.then(() => this.execute(run, plan)).finally(() => this.forget(run, key, done));
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

  /** Ends the runs of a thread. */
  interrupt(key: string): void {
    for (const run of this.byThread.get(key)?.values() ?? []) if (!run.isOver) run.abort();
  }

  /** Ends all runs and forgets them. */
  clear(): void {
    for (const run of this.unfinished) run.abort();
    this.byThread.clear();
  }

  private remember(key: string, run: Run): void {
    const runs = this.byThread.get(key) ?? new Map<string, Run>();
    this.byThread.set(key, runs.set(run.id, run));
  }

  private forget(run: Run, key: string, done: Promise<void>): void {
    this.unfinished.delete(run);
    if (this.lastRunOfThread.get(key) === done) this.lastRunOfThread.delete(key);
  }

  private async execute(run: Run, plan: RunPlan): Promise<void> {
    const end = await this.outcomeOf(run, plan);
    run.failure = end.failure;
    // Before the stream ends: its reader may ask for the thread at once.
    plan.memory?.ended(end);
    if (end.failure !== undefined) void run.send("error", frame("error", end.failure));
    run.finish(end.status);
  }

  private async outcomeOf(run: Run, plan: RunPlan): Promise<RunEnd> {
    const { graph, graphId, assistantId, input, threadId, memory } = plan;
    try {
      run.signal.throwIfAborted();
      run.status = "running";
      void run.send("metadata", frame("metadata", { run_id: run.id, attempt: 1 }));
      requireInput(input);
      const identity = { runId: run.id, threadId, assistantId, graphId, checkpointed: memory !== undefined };
      const execution = new Execution(new ChunkEmitter(run, this.settings.clock, plan), identity);
      await execution.run(graph, input, memory?.load() ?? {}, run.signal, (reached) => {
        if (run.signal.aborted) return;
        run.values = reached.values;
        memory?.reached(run, reached);
      });
      return { status: "success", failure: undefined, failedNode: null };
    } catch (error) {
      if (run.signal.aborted) return { status: "interrupted", failure: undefined, failedNode: null };
      return {
        status: "error",
        failure: failureOf(error),
        failedNode: error instanceof GraphError ? error.node : null,
      };
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

function failureOf(error: unknown): RunFailure {
  if (error instanceof GraphError) return { error: error.error, message: error.message };
  // A mistake of the emulator itself: its author needs the trace.
  console.error(error);
  return { error: "InternalServerError", message: "The emulator failed" };
}
