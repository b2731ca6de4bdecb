import { z } from "zod";
import type { Chunk } from "../agent-server/play";

/**
 * Chunks without what differs from run to run, and from server to server. Nodes of the same step stream in any order: the
 * order is kept node by node, and mode by mode.
 */
export function essence(chunks: readonly Chunk[]): readonly unknown[] {
  const told = chunks.map(({ event, data }) => ({
    event: withoutIds(event),
    node: nodeOf(event, data),
    data: rewritten(data),
  }));
  const lane = ({ event, node }: (typeof told)[number]) => `${event} ${node}`;
  return told.sort((one, other) => (lane(one) < lane(other) ? -1 : lane(one) > lane(other) ? 1 : 0));
}

const Fields = z.record(z.string(), z.unknown());
const Node = z.object({ langgraph_node: z.string() });
const Named = z.union([
  z.tuple([z.unknown(), Node]).transform(([, { langgraph_node: node }]) => node),
  z.object({ metadata: Node }).transform(({ metadata }) => metadata.langgraph_node),
  z.object({ payload: z.object({ name: z.string() }) }).transform(({ payload }) => payload.name),
]);

function nodeOf(event: string, data: unknown): string {
  if (event.startsWith("updates")) return Object.keys(Fields.parse(data)).join();
  return Named.safeParse(data).data ?? "";
}

/** Fields that say which server it is or which request it was, or that the emulator has as the documentation has them. */
const LEFT_OUT = new Set([
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
]);

const withoutIds = (text: string): string =>
  text
    .replace(/(lc_)?run--?[0-9a-f]{8}-[0-9a-f-]{27}(-0)?/g, "<message>")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
    .replace(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/, "<time>");

/** The same with other ids. Null is as good as nothing, and so is a list of no tags. */
function rewritten(value: unknown): unknown {
  if (typeof value === "string") return withoutIds(value);
  if (Array.isArray(value)) return value.filter((each) => !isOfTheServersGraph(each)).map(rewritten);
  const fields = Fields.safeParse(value);
  if (!fields.success) return value;
  const kept = Object.entries(fields.data).flatMap(([name, each]) => {
    if (LEFT_OUT.has(name) || each === null) return [];
    const told = rewritten(each);
    return name === "tags" && Array.isArray(told) && told.length === 0 ? [] : [[withoutIds(name), told] as const];
  });
  return Object.fromEntries(kept);
}

/** Which step of its node's own sequence a model's call was, and that a node waited for two others. */
const isOfTheServersGraph = (value: unknown) => typeof value === "string" && /^seq:step:|^join:/.test(value);
