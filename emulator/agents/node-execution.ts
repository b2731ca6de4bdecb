import { randomUUID } from "node:crypto";
import { both, type ChunkEmitter, type RunSpan } from "./chunk-emitter";
import type { Action, GraphState } from "./graph";
import { fillTemplate, fillText } from "./state";
import { modelMetadata, outermostNode, type Task } from "./task";

/** A node failed as its script says: the run ends with an error event. */
export class GraphError extends Error {
  override readonly name = "GraphError";

  constructor(
    readonly error: string,
    message: string,
    /** The node of the graph itself that failed, or in whose subgraph one failed; null where none had begun. */
    readonly node: string | null = null,
  ) {
    super(message);
  }
}

type ModelAction = Extract<Action, { type: "model" }>;

export class NodeExecution {
  constructor(
    private readonly emitter: ChunkEmitter,
    private readonly task: Task,
    private readonly span: RunSpan,
    private scope: GraphState,
    private readonly signal: AbortSignal,
  ) {}

  /** Resolves with the update that the node makes. */
  async run(actions: readonly Action[], update: unknown): Promise<unknown> {
    for (const action of actions) {
      const waiting = this.act(action);
      if (waiting !== undefined) await waiting;
      this.signal.throwIfAborted();
    }
    return fillTemplate(update ?? null, this.scope);
  }

  /** undefined once the action is done. Only an action that takes time lets the nodes beside this one go first. */
  private act(action: Action): Promise<unknown> | undefined {
    switch (action.type) {
      case "custom":
        return this.emitter.emit("custom", this.task.path, () => fillTemplate(action.data, this.scope));
      case "delay": {
        const ms = typeof action.ms === "number" ? action.ms : Number(this.scope[action.ms.from] ?? 0);
        return ms > 0 ? this.emitter.pause(ms, this.signal) : undefined;
      }
      case "throw":
        if (action.when !== undefined && !isSet(this.scope[action.when])) return undefined;
        throw new GraphError(action.error, fillText(action.message, this.scope), outermostNode(this.task));
      case "model":
        return this.callModel(action);
      case "flood": {
        const id = messageId();
        const token = (last: boolean) => [aiChunk(id, "x".repeat(action.size), last), this.metadata([])];
        return this.emitter.flood(this.task.path, token, action.tokens, this.signal);
      }
    }
  }

  private async callModel(model: ModelAction): Promise<void> {
    const text = fillText(model.text, this.scope);
    const tags = model.tags ?? [];
    const runId = randomUUID();
    const id = messageId(runId);
    const message = aiMessage(id, text);
    const span: RunSpan = {
      id: runId,
      name: "FakeListChatModel",
      kind: "chat_model",
      tags: ["seq:step:1", ...tags],
      metadata: modelMetadata(this.emitter.identity, this.task),
      parents: [...this.span.parents, this.span.id],
    };
    const asked = { messages: [[humanMessage(fillText(model.prompt ?? "", this.scope))]] };
    const started = this.emitter.emitSpan(span, "start", () => ({ input: asked }));
    if (started !== undefined) await started;
    if (model.streaming === false) await this.send(message, tags, message, true);
    else await this.stream(id, text, model, span);
    await this.emitter.emitSpan(span, "end", () => ({ output: message, input: asked }));
    this.scope = { ...this.scope, reply: text, message };
  }

  private async stream(id: string, text: string, model: ModelAction, span: RunSpan): Promise<void> {
    const tokens = Array.from(text);
    let soFar = "";
    for (const [index, token] of tokens.entries()) {
      if (model.tokenDelayMs !== undefined) await this.emitter.pause(model.tokenDelayMs, this.signal);
      const chunk = aiChunk(id, token, index === tokens.length - 1);
      soFar += token;
      const waiting = [
        this.send(chunk, model.tags ?? [], aiMessage(id, soFar), index === 0),
        this.emitter.emitSpan(span, "stream", () => ({ chunk })),
      ].filter((promise) => promise !== undefined);
      if (waiting.length > 0) await Promise.all(waiting);
    }
  }

  /** @param whole The message so far, which `message` may be a part of. */
  private send(message: Message, tags: readonly string[], whole: Message, isFirst: boolean) {
    const { path } = this.task;
    const metadata = () => this.metadata(tags);
    const begin = () => ({ [String(whole["id"])]: { metadata: metadata() } });
    if (isFirst) void this.emitter.emit("messages", path, begin, "messages/metadata");
    return both(
      this.emitter.emit("messages-tuple", path, () => [message, metadata()]),
      this.emitter.emit("messages", path, () => [whole], `messages/${message === whole ? "complete" : "partial"}`),
    );
  }

  private metadata(tags: readonly string[]): Record<string, unknown> {
    return { ...modelMetadata(this.emitter.identity, this.task), ...(tags.length === 0 ? {} : { tags }) };
  }
}

function messageId(runId: string = randomUUID()): string {
  return `lc_run--${runId}`;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
}

/** A message, or a part of one, as the agent server writes it. */
type Message = Readonly<Record<string, unknown>>;

const COMMON_FIELDS = { additional_kwargs: {}, response_metadata: {} };

function aiMessage(id: string, content: string): Message {
  const tools = { tool_calls: [], invalid_tool_calls: [], usage_metadata: null };
  return { content, ...COMMON_FIELDS, type: "ai", name: null, id, ...tools };
}

/** One token of a model's answer. */
function aiChunk(id: string, content: string, last: boolean): Message {
  const rest = { type: "AIMessageChunk", tool_call_chunks: [], chunk_position: last ? "last" : null };
  return { ...aiMessage(id, content), ...rest };
}

function humanMessage(content: string): Message {
  return { content, ...COMMON_FIELDS, type: "human", name: null, id: null };
}
