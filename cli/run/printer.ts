import { jsonLine, lineText, paragraphText, shortText } from "../base/printable";
import type { Style } from "../base/style";
import { type ModeEvent, nodeOf, type RunEvent, textOf } from "../../provider/streaming/events";

/** Events to the text of standard output; pure, apart from its memory of the lines before. */
export interface Printer {
  readonly event: (event: RunEvent, seconds: number) => string;
  /** Ends an unfinished line, even when the command stops early. */
  readonly end: () => string;
}

export interface Screen {
  readonly style: Style;
  /** The present width of a line, in characters: people resize windows. */
  readonly lineWidth: () => number;
}

/** What may be the begin of a command for a pipeline's runner, such as `##vso[`, whose rest is in the next token. */
const COMMAND_BEGUN = /[#:]{1,2}[\w-]{0,40}$/;

/** For people: tokens as running text, with the node as a heading whenever another node or subgraph speaks; every other event as a line. */
export function peoplePrinter({ style, lineWidth }: Screen): Printer {
  let speaker: string | undefined;
  let message: unknown;
  let isMidLine = false;
  let heldBack = "";
  /** The next token gets a heading again. */
  const end = (): string => {
    speaker = undefined;
    const text = isMidLine ? `${paragraphText(heldBack)}\n` : "";
    [isMidLine, heldBack] = [false, ""];
    return text;
  };
  /** Another message of the same node begins on a new line. */
  const heading = (place: readonly string[], id: unknown): string => {
    const before = speaker;
    const now = place.join("|");
    if (now === before && id === message) return "";
    const ended = end();
    [speaker, message] = [now, id];
    return now === before ? ended : `${ended}${style.heading(`[${lineText(namespaceText(place))}]`)}\n`;
  };
  /** Empty for a token without text (a tool call). */
  const token = ({ namespace, data: [said, metadata] }: ModeEvent<"messages-tuple">): string => {
    const text = textOf(said);
    if (text === "") return "";
    const begin = heading([...namespace, nodeOf(metadata) ?? "(unnamed node)"], said.id);
    isMidLine = !text.endsWith("\n");
    const all = heldBack + text;
    heldBack = COMMAND_BEGUN.exec(all)?.[0] ?? "";
    return begin + paragraphText(all.slice(0, all.length - heldBack.length));
  };
  const event: Printer["event"] = (each, seconds) =>
    each.mode === "messages-tuple" ? token(each) : `${end()}${eventLine(each, seconds, lineWidth())}\n`;
  return { event, end };
}

/** The longest name of a mode or a namespace that is shown whole, and the least width of what follows, however narrow a terminal is. */
const [LONGEST_PLACE, NARROWEST] = [32, 24];

/** When an event came, its mode, the subgraph that it is from, and as much of its data as the line has room for. */
function eventLine(event: Exclude<RunEvent, ModeEvent<"messages-tuple">>, seconds: number, lineWidth: number): string {
  const mode = event.mode === "other" ? event.event : event.mode;
  const places = [mode, ...(event.namespace.length === 0 ? [] : [namespaceText(event.namespace)])];
  const begin = [`${seconds.toFixed(2)}s`, ...places.map((place) => shortText(place, LONGEST_PLACE)), ""].join("  ");
  return begin + shortText(JSON.stringify(event.data), Math.max(NARROWEST, lineWidth - Array.from(begin).length));
}

/** The steps of a namespace, the ids of their tasks shortened: "sub:6b19631c". */
const namespaceText = (namespace: readonly string[]): string =>
  namespace.map((step) => step.replace(/(:[0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "$1")).join(" > ");

/** For programs: each event a line of JSON, without loss; `time` is in seconds since the start. */
export const jsonPrinter: Printer = {
  event: (event, seconds) => jsonLine({ time: Number(seconds.toFixed(3)), ...event }),
  end: () => "",
};
