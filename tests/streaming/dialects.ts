import { z } from "zod";
import type { Chunk, Scene } from "../agent-server/play";

/**
 * Rewrites a stream of the JavaScript server as the Python server, which the emulator follows, would send it. Each rule is a difference of
 * the two official servers that was seen, and so is each rule below.
 */
export function asPython(chunks: readonly Chunk[], { streamSubgraphs = false }: Scene): readonly Chunk[] {
  return chunks.flatMap(({ event, data }) => {
    const [mode = "", ...namespace] = event.split("|");
    // Checkpoints that were not requested.
    if (mode === "checkpoints") return [];
    // Tokens and custom data of a subgraph, where subgraphs were not requested.
    if (!streamSubgraphs && OfSubgraph.safeParse(data).success) return [];
    // The way to a token's graph goes on to its node.
    const shorter = mode === "messages" ? namespace.slice(0, -1) : namespace;
    return [{ event: [mode, ...shorter].join("|"), data: rewritten(rooted(data), pythonText, BOTH) }];
  });
}

const Root = z.looseObject({
  name: z.literal("LangGraph"),
  metadata: z.looseObject({ langgraph_node: z.undefined().optional() }),
});

/** The call of the graph itself goes by the graph's name. */
function rooted(data: unknown): unknown {
  const root = Root.safeParse(data);
  return root.success ? { ...root.data, name: "agent" } : data;
}

const OfSubgraph = z.union([
  z.tuple([z.unknown(), z.object({ langgraph_node: z.literal("inside") })]),
  z.strictObject({ inner: z.literal(true) }),
]);

const PYTHON_TEXT: ReadonlyMap<string, string> = new Map([
  // The node of the subgraph has another name in the Python server's graph,
  ["inside", "inner"],
  ["branch:to:inside", "branch:to:inner"],
  // and what fails there is a RuntimeError.
  ["Error", "RuntimeError"],
]);
const pythonText = (text: string) => PYTHON_TEXT.get(text) ?? text;

/**
 * Chunks without what differs from run to run, and from server to server. Nodes of the same step stream in any order: the
 * order is kept node by node, and mode by mode.
 */
export function essence(chunks: readonly Chunk[], leftOut: ReadonlySet<string> = BOTH): readonly unknown[] {
  const told = chunks
    .filter(({ data }) => !OnlyPython.safeParse(data).success)
    .map(({ event, data }) => ({
      event: withoutIds(event),
      node: nodeOf(event, data),
      data: rewritten(data, withoutIds, leftOut),
    }));
  const lane = ({ event, node }: (typeof told)[number]) => `${event} ${node}`;
  return told.sort((one, other) => (lane(one) < lane(other) ? -1 : lane(one) > lane(other) ? 1 : 0));
}

/** JavaScript has no event of its own for what a node streams. */
const OnlyPython = z.object({ event: z.literal("on_chain_stream") });

const Fields = z.record(z.string(), z.unknown());
const Node = z.object({ langgraph_node: z.string() });
const Named = z.union([
  z.tuple([z.unknown(), Node]).transform(([, { langgraph_node: node }]) => node),
  z.object({ metadata: Node }).transform(({ metadata }) => metadata.langgraph_node),
  z.object({ payload: z.object({ name: z.string() }) }).transform(({ payload }) => payload.name),
]);

function nodeOf(event: string, data: unknown): string {
  if (event.startsWith("updates")) return Object.keys(Fields.parse(data)).join();
  return Named.safeParse(data).data?.replace("inside", "inner") ?? "";
}

/** Fields that say which server it is or which request it was, or that the emulator has as the documentation has them. */
const OF_ONE_SERVER = [
  "__after_seconds__",
  "__request_start_time_ms__",
  "checkpoint_ns",
  "graph_node",
  "langgraph_api_url",
  "langgraph_api_version",
  "langgraph_auth_permissions",
  "langgraph_auth_user",
  "langgraph_auth_user_id",
  "langgraph_host",
  "langgraph_plan",
  "langgraph_request_id",
  "langgraph_version",
  "lc_versions",
  "ls_integration",
  "state",
  "user_id",
  "versions",
];
/** Fields that the JavaScript server does not have, or has in another shape. */
const OF_PYTHON = [
  "chunk_position",
  "interrupts",
  "langgraph_checkpoint_ns",
  "ls_provider",
  "parent_ids",
  "tool_call_chunks",
];
export const PYTHON_ALONE = new Set(OF_ONE_SERVER);
const BOTH = new Set([...OF_ONE_SERVER, ...OF_PYTHON]);

function withoutIds(text: string): string {
  if (text === "AIMessageChunk") return "ai";
  // A node that waits for two nodes has, in the emulator, the trigger of one that waits for one alone.
  if (text === "join:chat+side:sub") return "branch:to:sub";
  return text
    .replace(/(lc_)?run--?[0-9a-f]{8}-[0-9a-f-]{27}(-0)?/g, "<message>")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
    .replace(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/, "<time>");
}

/** The same with other texts, names of fields included. Null is as good as nothing, and so is a list of no tags. */
function rewritten(value: unknown, write: (text: string) => string, leftOut: ReadonlySet<string>): unknown {
  if (typeof value === "string") return write(value);
  if (Array.isArray(value))
    return value.filter((each) => !isStepTag(each)).map((each) => rewritten(each, write, leftOut));
  const fields = Fields.safeParse(value);
  if (!fields.success) return value;
  const kept = Object.entries(fields.data).flatMap(([name, each]) => {
    if (leftOut.has(name) || each === null) return [];
    const all = rewritten(each, write, leftOut);
    const told = name.endsWith("triggers") && Array.isArray(all) ? [...new Set<unknown>(all)] : all;
    return name === "tags" && Array.isArray(told) && told.length === 0 ? [] : [[write(name), told] as const];
  });
  return Object.fromEntries(kept);
}

/** Python says of a model's call which step of its node's own sequence it was. */
const isStepTag = (value: unknown) => typeof value === "string" && value.startsWith("seq:step:");
