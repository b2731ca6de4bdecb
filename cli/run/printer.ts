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
  readonly isTerminal: boolean;
  readonly style: Style;
  /** The present width of a line, in characters: people resize windows. */
  readonly lineWidth: () => number;
}

/** For people: tokens as text, every other event as a line. */
export function peoplePrinter({ isTerminal, style, lineWidth }: Screen): Printer {
  const tokens = new Tokens(style, isTerminal);
  return {
    event: (event, seconds) =>
      event.mode === "messages-tuple"
        ? tokens.token(event)
        : `${tokens.pause()}${eventLine(event, seconds, lineWidth())}\n`,
    end: () => tokens.pause(),
  };
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

/** Tokens as running text, with the node as a heading whenever another node or subgraph speaks. */
export class Tokens {
  private place: string | undefined;
  private message: unknown;
  private midLine = false;

  /** @param isTerminal On a terminal, control characters of a model are escaped; elsewhere the text stays as it is. */
  constructor(
    private readonly style: Style,
    private readonly isTerminal: boolean,
  ) {}

  /** The text to print for a token; empty for a token without text (a tool call). */
  token({ namespace, data: [message, metadata] }: ModeEvent<"messages-tuple">): string {
    const text = textOf(message);
    if (text === "") return "";
    const place = [...namespace, nodeOf(metadata) ?? "(unnamed node)"];
    const before = this.heading(namespaceText(place), place.join("|"), message.id);
    this.midLine = !text.endsWith("\n");
    return before + (this.isTerminal ? paragraphText(text) : text);
  }

  /** Ends the line that is being written; the next token gets a heading again. */
  pause(): string {
    this.place = undefined;
    const end = this.midLine ? "\n" : "";
    this.midLine = false;
    return end;
  }

  /** Another message of the same node begins on a new line. */
  private heading(title: string, place: string, message: unknown): string {
    const samePlace = place === this.place;
    if (samePlace && message === this.message) return "";
    const end = this.pause();
    this.place = place;
    this.message = message;
    return samePlace ? end : `${end}${this.style.heading(`[${lineText(title)}]`)}\n`;
  }
}
