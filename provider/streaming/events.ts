import { isObject, type Json, type JsonObject } from "../base/json";

/** The modes of docs/internals/platform.md, Stream modes. */
export const STREAM_MODES = ["values", "updates", "messages-tuple", "debug", "custom", "events"] as const;

/** What a run streams: full states, updates by node, tokens, debugging, the graph's own data, or everything. */
export type StreamMode = (typeof STREAM_MODES)[number];

/** A token or a segment of a model's message. `content` is a text, or a list of blocks, some of which have a `text`. */
export interface MessageChunk {
  readonly content?: Json;
  readonly id?: Json;
  readonly type?: Json;
  readonly [field: string]: Json | undefined;
}

/** The metadata of a token: the node (`langgraph_node`, or `graph_node`), the model's `tags`, and more. */
export type MessageMetadata = Readonly<JsonObject>;

/** The data of each mode. */
export interface ModeData {
  /** The state of the graph after a step. */
  readonly values: Json;
  /** What each node wrote, by the node's name. */
  readonly updates: Readonly<JsonObject>;
  readonly "messages-tuple": readonly [message: MessageChunk, metadata: MessageMetadata];
  readonly debug: Json;
  /** Whatever the graph's code emits. */
  readonly custom: Json;
  readonly events: Json;
}

interface InGraph {
  /** The way to the subgraph that it comes from, outermost first ("sub:<uuid>"); empty for the graph itself. */
  readonly namespace: readonly string[];
}

/** An event of a requested mode. */
export type ModeEvent<Mode extends StreamMode> = {
  [Each in Mode]: InGraph & { readonly mode: Each; readonly data: ModeData[Each] };
}[Mode];

/** An event with a name that this client does not know or did not request, as it came. */
export interface OtherEvent extends InGraph {
  readonly mode: "other";
  readonly event: string;
  readonly data: Json;
}

/** An event of a stream; `mode` says which type it has. */
export type RunEvent<Mode extends StreamMode = StreamMode> = ModeEvent<Mode> | OtherEvent;

/** The mode of an event's name. Token mode is requested as "messages-tuple", and comes as "messages" (docs/internals/platform.md, Stream modes). */
export const modeOf = (event: string): StreamMode | undefined =>
  event === "messages" ? "messages-tuple" : STREAM_MODES.find((mode) => mode === event);

/** The event of a frame. Data that does not have the mode's shape makes it an "other" event: it is passed on, not guessed at. */
export function eventOf(name: string, data: Json, asked: ReadonlySet<StreamMode>): RunEvent {
  const [event = name, ...namespace] = name.split("|");
  const mode = modeOf(event);
  if (mode === undefined || !asked.has(mode)) return { mode: "other", event, namespace, data };
  if (mode === "updates") {
    return isObject(data) ? { mode, namespace, data } : { mode: "other", event, namespace, data };
  }
  if (mode === "messages-tuple") {
    const [message, metadata] = Array.isArray(data) ? data : [];
    return isObject(message) && isObject(metadata)
      ? { mode, namespace, data: [message, metadata] }
      : { mode: "other", event, namespace, data };
  }
  return { mode, namespace, data };
}

/** The node that a token comes from. */
export function nodeOf({ langgraph_node: node, graph_node: documented }: MessageMetadata): string | undefined {
  const name = node ?? documented;
  return typeof name === "string" ? name : undefined;
}

/** Whether an event is a token of a model that was invoked with this tag. */
export function hasTag(event: RunEvent, tag: string): event is ModeEvent<"messages-tuple"> {
  if (event.mode !== "messages-tuple") return false;
  const { tags } = event.data[1];
  return Array.isArray(tags) && tags.includes(tag);
}

/** Whether an event is a token from this node. */
export function isFromNode(event: RunEvent, node: string): event is ModeEvent<"messages-tuple"> {
  return event.mode === "messages-tuple" && nodeOf(event.data[1]) === node;
}

/** The text of a token; empty for a token without text (a tool call). */
export function textOf({ content }: MessageChunk): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (isObject(block) && typeof block["text"] === "string" ? block["text"] : "")).join("");
}
