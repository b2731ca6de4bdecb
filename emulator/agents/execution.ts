import { randomUUID } from "node:crypto";
import type { Reached } from "../platform/thread-service";
import type { ChunkEmitter, RunSpan } from "./chunk-emitter";
import { DebugEmitter } from "./debug-emitter";
import type { Graph, Node, GraphState } from "./graph";
import { NodeExecution } from "./node-execution";
import { applyUpdate, knownChannels } from "./state";
import { nodeMetadata, runMetadata, type RunPath, type Task } from "./task";

/** The context of one graph, or of a subgraph of it. */
interface Frame {
  readonly path: RunPath;
  readonly span: RunSpan;
  readonly debug: DebugEmitter;
  readonly signal: AbortSignal;
  /** Called at the start, and after each super-step that is complete. */
  readonly reached: (reached: Reached) => void;
}

/** Runs a scripted graph: super-step by super-step, the nodes of each side by side. */
export class Execution {
  /** @param context The values that templates find beside the state's. */
  constructor(
    private readonly emitter: ChunkEmitter,
    private readonly context: GraphState,
  ) {}

  /** Executes the whole run. Rejects with GraphError when a node fails. `reached` gets what each checkpoint keeps. */
  async run(
    graph: Graph,
    input: unknown,
    before: GraphState,
    signal: AbortSignal,
    reached: (reached: Reached) => void,
  ): Promise<void> {
    const { runId, graphId } = this.emitter.identity;
    const metadata = { ...runMetadata(this.emitter.identity), ls_integration: "langgraph" };
    const span: RunSpan = { id: runId, name: graphId, kind: "chain", tags: [], metadata, parents: [] };
    const debug = new DebugEmitter(this.emitter, []);
    await debug.checkpoint(-1, applyUpdate(graph.channels, before, {}), ["__start__"]);
    const frame: Frame = { path: [], span, debug, signal, reached };
    await this.graph(graph, input, before, frame);
  }

  private async graph(graph: Graph, input: unknown, before: GraphState, frame: Frame): Promise<GraphState> {
    const { path, span, debug } = frame;
    const written = knownChannels(graph.channels, input);
    let state = applyUpdate(graph.channels, before, written);
    await this.emitter.emitSpan(span, "start", () => ({ input }));
    // As on real servers: an input that writes nothing produces no state to show.
    if (Object.keys(written).length > 0) await this.emitter.emit("values", path, () => state);
    await debug.checkpoint(0, state, namesOf(graph, 0));
    frame.reached({ step: 0, values: state, next: namesOf(graph, 0) });
    for (const [index, nodes] of graph.steps.entries()) {
      state = await this.step(graph, nodes, index + 1, state, frame);
      frame.reached({ step: index + 1, values: state, next: namesOf(graph, index + 1) });
      await this.emitter.emit("values", path, () => state);
      await debug.checkpoint(index + 1, state, namesOf(graph, index + 1));
    }
    // As on real servers: the end of a subgraph repeats its input, the end of the graph does not.
    await this.emitter.emitSpan(span, "end", () => (path.length === 0 ? { output: state } : { output: state, input }));
    return state;
  }

  private async step(
    graph: Graph,
    nodes: Readonly<Record<string, Node>>,
    step: number,
    state: GraphState,
    frame: Frame,
  ): Promise<GraphState> {
    const { path } = frame;
    frame.signal.throwIfAborted();
    const tasks = Object.entries(nodes).map(([name, node]) => {
      const id = randomUUID();
      const task: Task = { id, name, step, path, namespace: [...path, `${name}:${id}`] };
      return { node, task, span: this.spanOf(task, frame) };
    });
    for (const { task, span } of tasks) {
      await frame.debug.task(task, state);
      await this.emitter.emitSpan(span, "start", () => ({ input: state }));
    }
    // The first failure ends the nodes beside it, as it ends the run.
    const failure = new AbortController();
    const inner = { ...frame, signal: AbortSignal.any([frame.signal, failure.signal]) };
    const running = tasks.map(({ node, task, span }) => this.task(node, task, span, state, inner));
    try {
      const updates = await Promise.all(running);
      return updates.reduce<GraphState>(
        (after, update) => applyUpdate(graph.channels, after, knownChannels(graph.channels, update)),
        state,
      );
    } finally {
      failure.abort();
      await Promise.allSettled(running);
    }
  }

  private async task(node: Node, task: Task, span: RunSpan, state: GraphState, frame: Frame): Promise<unknown> {
    const update = await this.update(node, task, span, state, frame);
    frame.signal.throwIfAborted();
    // All at once, so that no chunk of a parallel node comes in between.
    await Promise.all([
      this.emitter.emitSpan(span, "stream", () => ({ chunk: update })),
      this.emitter.emit("updates", task.path, () => ({ [task.name]: update })),
      frame.debug.result(task, update),
      this.emitter.emitSpan(span, "end", () => ({ output: update, input: state })),
    ]);
    return update;
  }

  private update(node: Node, task: Task, span: RunSpan, state: GraphState, frame: Frame): Promise<unknown> {
    if (!("subgraph" in node)) {
      const execution = new NodeExecution(this.emitter, task, span, { ...this.context, ...state }, frame.signal);
      return execution.run(node.actions ?? [], node.update);
    }
    const parents = [...span.parents, span.id];
    const metadata = nodeMetadata(this.emitter.identity, task);
    return this.graph(
      node.subgraph,
      state,
      {},
      {
        ...frame,
        path: task.namespace,
        span: { id: randomUUID(), name: "LangGraph", kind: "chain", tags: ["seq:step:1"], metadata, parents },
        debug: new DebugEmitter(this.emitter, task.namespace),
        reached: () => undefined,
      },
    );
  }

  private spanOf(task: Task, { span }: Frame): RunSpan {
    return {
      id: randomUUID(),
      name: task.name,
      kind: "chain",
      tags: [`graph:step:${task.step}`],
      metadata: nodeMetadata(this.emitter.identity, task),
      parents: [...span.parents, span.id],
    };
  }
}

function namesOf(graph: Graph, index: number): readonly string[] {
  return Object.keys(graph.steps[index] ?? {});
}
