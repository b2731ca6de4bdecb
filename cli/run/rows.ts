import { isObject, type Json } from "../../provider/base/json";
import type { RunEvent } from "../../provider/streaming/events";

/** The node (if the event names it) and the text of an event that is not a token. */
export interface EventRow {
  readonly mode: string;
  readonly node: string;
  readonly text: string;
}

/** An event that has a row: tokens are text. */
export type RowEvent = Exclude<RunEvent, { readonly mode: "messages-tuple" }>;

/** The row of an event. The text is as long as the event's data. */
export function eventRow(event: RowEvent): EventRow {
  switch (event.mode) {
    case "updates":
      return { mode: event.mode, ...ofUpdates(event.data) };
    case "debug":
      return { mode: event.mode, ...ofDebug(event.data) };
    case "events":
      return { mode: event.mode, ...ofEvents(event.data) };
    case "values":
    case "custom":
      return { mode: event.mode, node: "", text: json(event.data) };
    case "other":
      return { mode: event.event, node: "", text: json(event.data) };
  }
}

/** The steps of a namespace, the ids of their tasks shortened: "sub:6b19631c". Empty for the graph itself. */
export function namespaceText(namespace: readonly string[]): string {
  return namespace.map((step) => step.replace(/(:[0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "$1")).join(" > ");
}

type Said = Omit<EventRow, "mode">;

const json = (data: Json | undefined): string => JSON.stringify(data ?? null);
const textOr = (value: Json | undefined, other: string): string => (typeof value === "string" ? value : other);

function ofUpdates(data: Readonly<Record<string, Json | undefined>>): Said {
  const nodes = Object.keys(data);
  const [only] = nodes;
  const update = nodes.length === 1 && only !== undefined ? data[only] : data;
  return { node: nodes.join(", "), text: json(update) };
}

/** The text of a step: its error, else its result, else its input. */
function ofDebug(data: Json): Said {
  if (!isObject(data) || !isObject(data["payload"])) return { node: "", text: json(data) };
  const { name, error, result, input, values } = data["payload"];
  const said = error ?? result ?? input ?? values ?? data["payload"];
  return { node: textOr(name, ""), text: `${textOr(data["type"], "")} ${json(said)}`.trimStart() };
}

function ofEvents(data: Json): Said {
  if (!isObject(data) || typeof data["event"] !== "string") return { node: "", text: json(data) };
  const { event, name, metadata } = data;
  const node = isObject(metadata) ? textOr(metadata["langgraph_node"], "") : "";
  return { node, text: [event, textOr(name, ""), json(data["data"])].filter((word) => word !== "").join(" ") };
}
