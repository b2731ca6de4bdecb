import { widthOf, shortText } from "../base/printable";
import type { Style } from "../base/style";
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
function eventRow(event: RowEvent): EventRow {
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

const HEAD = ["TIME", "MODE", "NAMESPACE", "NODE"] as const;
/** The initial widths of columns: most runs never widen them. */
const USUAL = { time: "999.99s".length, namespace: "sub:6b19631c".length, node: 8 } as const;
/** The maximum width of a column; longer cells are cut off, so that they do not push away the text of every line. */
const WIDEST = 32;
/** The least width of the text, however narrow the terminal is. */
const NARROWEST = 24;
const GAP = "  ";

/** A table that is printed while it grows: columns widen with their cells, and never narrow. */
export class TextTable {
  private readonly widths: number[];
  private begun = false;

  /** @param modes The modes that may come, so that their column is wide enough at once. */
  constructor(
    private readonly style: Style,
    private readonly lineWidth: () => number,
    modes: readonly string[],
  ) {
    const mode = Math.max(...[HEAD[1], ...modes].map(widthOf));
    this.widths = [USUAL.time, mode, USUAL.namespace, USUAL.node];
  }

  /** The line of an event, `seconds` after the start; the first one comes with the column heads. */
  line(event: RowEvent, seconds: number): string {
    const { mode, node, text } = eventRow(event);
    const cells = [`${seconds.toFixed(2)}s`, mode, namespaceText(event.namespace) || "-", node || "-"].map((cell) =>
      shortText(cell, WIDEST),
    );
    this.fit(cells);
    const head = this.begun ? "" : `${this.style.faint(this.join(HEAD, "DATA"))}\n`;
    this.begun = true;
    const left = this.lineWidth() - this.widths.reduce((sum, width) => sum + width + GAP.length, 0);
    return `${head}${this.join(cells, shortText(text, Math.max(NARROWEST, left)))}\n`;
  }

  private fit(cells: readonly string[]): void {
    cells.forEach((cell, column) => (this.widths[column] = Math.max(this.widths[column] ?? 0, widthOf(cell))));
  }

  private join(cells: readonly string[], text: string): string {
    const padded = cells.map((cell, column) => {
      const space = " ".repeat((this.widths[column] ?? 0) - widthOf(cell));
      return column === 0 ? space + cell : cell + space;
    });
    return [...padded, text].join(GAP);
  }
}
