/** A message, or a part of one, as the agent server writes it. */
export type Message = Readonly<Record<string, unknown>>;

const COMMON_FIELDS = { additional_kwargs: {}, response_metadata: {} };

/** A model's whole answer. */
export function aiMessage(id: string, content: string): Message {
  const tools = { tool_calls: [], invalid_tool_calls: [], usage_metadata: null };
  return { content, ...COMMON_FIELDS, type: "ai", name: null, id, ...tools };
}

/** One token of a model's answer. */
export function aiChunk(id: string, content: string, last: boolean): Message {
  const rest = { type: "AIMessageChunk", tool_call_chunks: [], chunk_position: last ? "last" : null };
  return { ...aiMessage(id, content), ...rest };
}

/** The prompt of a model call. */
export function humanMessage(content: string): Message {
  return { content, ...COMMON_FIELDS, type: "human", name: null, id: null };
}
