import { z } from "zod";
import { ChunkEmitter } from "./chunk-emitter";
import { Execution } from "./execution";
import type { Graph, State } from "./graph";
import { GraphError } from "./node-execution";
import type { StreamSettings } from "./reader";
import { Run, type RunFailure, type RunRequest } from "./run";

/** The thread that a run works on. */
export interface ThreadMemory {
  load(): State;
  save(state: State): void;
}

/** The graph to run, its input, and the chunks to send. */
export interface RunPlan extends RunRequest {
  readonly graph: Graph;
  /** undefined for a stateless run. */
  readonly memory: ThreadMemory | undefined;
}

/** What a thread is doing, or how its last run ended. */
export type ThreadStatus = "idle" | "busy" | "interrupted" | "error";

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

  /** Creates a run. It begins when the caller is done, so that a reader that joins at once misses nothing. */
  start(plan: RunPlan): Run {
    const { graph: _graph, memory: _memory, ...request } = plan;
    const run = new Run(request, this.settings);
    this.unfinished.add(run);
    if (plan.memory !== undefined) this.remember(plan.threadId, run);
    const before = this.lastRunOfThread.get(plan.threadId) ?? Promise.resolve();
    const done = before.then(() => this.execute(run, plan)).finally(() => this.forget(run, plan.threadId, done));
    this.lastRunOfThread.set(plan.threadId, done);
    return run;
  }

  find(threadId: string, runId: string): Run | undefined {
    return this.byThread.get(threadId)?.get(runId);
  }

  /** The runs of a thread that are remembered, newest first. */
  ofThread(threadId: string): readonly Run[] {
    return [...(this.byThread.get(threadId)?.values() ?? [])].reverse();
  }

  isBusy(threadId: string): boolean {
    return this.lastRunOfThread.has(threadId);
  }

  /** As of the runs that are remembered. */
  threadStatus(threadId: string): ThreadStatus {
    if (this.isBusy(threadId)) return "busy";
    const last = this.ofThread(threadId)[0]?.status;
    return last === "error" || last === "interrupted" ? last : "idle";
  }

  /** Ends the runs of a thread. */
  interrupt(threadId: string): void {
    for (const run of this.ofThread(threadId)) if (!run.isOver) run.abort();
  }

  /** Ends all runs and forgets them. */
  clear(): void {
    for (const run of this.unfinished) run.abort();
    this.byThread.clear();
  }

  private remember(threadId: string, run: Run): void {
    const runs = this.byThread.get(threadId) ?? new Map<string, Run>();
    this.byThread.set(threadId, runs.set(run.id, run));
  }

  private forget(run: Run, threadId: string, done: Promise<void>): void {
    this.unfinished.delete(run);
    if (this.lastRunOfThread.get(threadId) === done) this.lastRunOfThread.delete(threadId);
  }

  private async execute(run: Run, plan: RunPlan): Promise<void> {
    const { graph, graphId, assistantId, input, threadId, memory } = plan;
    const { clock } = this.settings;
    const checkpointed = memory !== undefined;
    try {
      run.signal.throwIfAborted();
      run.status = "running";
      void run.send("metadata", run.frame("metadata", { run_id: run.id, attempt: 1 }));
      requireInput(input);
      const identity = { runId: run.id, threadId, assistantId, graphId, checkpointed };
      const execution = new Execution(new ChunkEmitter(run, clock, plan), identity);
      await execution.run(graph, input, memory?.load() ?? {}, run.signal, (state) => {
        if (run.signal.aborted) return;
        run.state = state;
        memory?.save(state);
      });
      run.finish("success");
    } catch (error) {
      const interrupted = run.signal.aborted;
      if (!interrupted) {
        run.failure = failure(error);
        void run.send("error", run.frame("error", run.failure));
      }
      run.finish(interrupted ? "interrupted" : "error");
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

function failure(error: unknown): RunFailure {
  if (error instanceof GraphError) return { error: error.error, message: error.message };
  // A mistake of the emulator itself: its author needs the trace.
  console.error(error);
  return { error: "InternalServerError", message: "The emulator failed" };
}
