/** A place in a run: the subgraphs around it, each as `name:<task id>`, outermost first. */
export type RunPath = readonly string[];

export interface RunIdentity {
  readonly runId: string;
  readonly threadId: string;
  readonly assistantId: string;
  readonly graphId: string;
  /** Whether checkpoints are written: on a thread. */
  readonly checkpointed: boolean;
}

/** One node in one super-step. */
export interface Task {
  readonly id: string;
  readonly name: string;
  readonly step: number;
  /** The subgraphs around the node. */
  readonly path: RunPath;
  /** The path, and the node itself. */
  readonly namespace: RunPath;
}

/** The node of the graph itself that a task belongs to. */
export const outermostNode = ({ namespace, name }: Task): string => namespace[0]?.split(":")[0] ?? name;

type Fields = Readonly<Record<string, unknown>>;

/** The fields that every metadata begins with. */
export function runMetadata({ assistantId, runId, threadId, graphId }: RunIdentity): Fields {
  return {
    created_by: "system",
    assistant_id: assistantId,
    run_attempt: 1,
    run_id: runId,
    thread_id: threadId,
    graph_id: graphId,
  };
}

function nodeFields({ name, step, namespace }: Task): Fields {
  return {
    langgraph_step: step,
    langgraph_node: name,
    // docs/internals/platform.md, Stream modes: the documented name; real servers say langgraph_node.
    graph_node: name,
    langgraph_triggers: [`branch:to:${name}`],
    langgraph_path: ["__pregel_pull", name],
    langgraph_checkpoint_ns: namespace.join("|"),
  };
}

export function nodeMetadata(identity: RunIdentity, task: Task): Fields {
  return { ...runMetadata(identity), ls_integration: "langgraph", ...nodeFields(task) };
}

export function modelMetadata(identity: RunIdentity, task: Task): Fields {
  return {
    ...runMetadata(identity),
    ls_integration: "langchain_chat_model",
    ...nodeFields(task),
    checkpoint_ns: (task.path.length === 0 ? task.namespace : task.path).join("|"),
    ls_provider: "fakelistchatmodel",
    ls_model_type: "chat",
  };
}
