import { randomUUID } from "node:crypto";
import { timestamp } from "../base/clock";
import { both, type ChunkEmitter } from "./chunk-emitter";
import type { GraphState } from "./graph";
import { runMetadata, type RunPath, type Task } from "./task";

/** The chunks of the modes debug, tasks and checkpoints: each task and its result and, on a thread, each checkpoint. */
export class DebugEmitter {
  private parent: string | null = null;

  constructor(
    private readonly emitter: ChunkEmitter,
    private readonly path: RunPath,
  ) {}

  task(task: Task, input: GraphState): Promise<unknown> | undefined {
    const { thread_id: _unnamed, ...metadata } = runMetadata(this.emitter.identity);
    const { id, name } = task;
    return this.ofTask(task.step, "task", () => ({ id, name, input, triggers: [`branch:to:${name}`], metadata }));
  }

  result(task: Task, result: unknown): Promise<unknown> | undefined {
    const { id, name, step } = task;
    return this.ofTask(step, "task_result", () => ({ id, name, error: null, result, interrupts: [] }));
  }

  /** The state after a step, and the names of the nodes that come next. */
  checkpoint(step: number, values: GraphState, next: readonly string[]): Promise<unknown> | undefined {
    if (!this.emitter.identity.checkpointed) return undefined;
    const parent = this.parent;
    const id = randomUUID();
    this.parent = id;
    const tasks = next.map((name) => ({ id: randomUUID(), name, interrupts: [], state: null }));
    const reached = () => ({
      config: this.config(id),
      parent_config: parent === null ? null : this.config(parent),
      values,
      metadata: { source: step < 0 ? "input" : "loop", step, parents: {} },
      next,
      tasks,
    });
    const references = () => ({
      checkpoint: this.reference(id),
      parent_checkpoint: parent === null ? null : this.reference(parent),
    });
    return both(
      this.emitter.emit("checkpoints", this.path, reached),
      this.emit(step, "checkpoint", () => ({ ...reached(), ...references() })),
    );
  }

  private reference(id: string): Record<string, unknown> {
    return { checkpoint_id: id, thread_id: this.emitter.identity.threadId, checkpoint_ns: this.path.join("|") };
  }

  private config(id: string): Record<string, unknown> {
    const { runId, graphId, assistantId } = this.emitter.identity;
    return { configurable: { ...this.reference(id), run_id: runId, graph_id: graphId, assistant_id: assistantId } };
  }

  private ofTask(step: number, type: string, payload: () => unknown): Promise<unknown> | undefined {
    return both(this.emitter.emit("tasks", this.path, payload), this.emit(step, type, payload));
  }

  private emit(step: number, type: string, payload: () => unknown): Promise<unknown> | undefined {
    const at = timestamp(this.emitter.clock.now());
    return this.emitter.emit("debug", this.path, () => ({ step, timestamp: at, type, payload: payload() }));
  }
}
