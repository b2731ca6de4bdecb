import { jsonLine, lineText, paragraphText } from "../base/printable";
import type { Style } from "../base/style";
import { namespaceText, TextTable } from "./table";
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

/** For people: tokens as text, every other event as a line of a table. */
export function peoplePrinter({ isTerminal, style, lineWidth }: Screen, modes: readonly string[]): Printer {
  const tokens = new Tokens(style, isTerminal);
  const table = new TextTable(style, lineWidth, modes);
  return {
    event: (event, seconds) =>
      event.mode === "messages-tuple" ? tokens.token(event) : tokens.pause() + table.line(event, seconds),
    end: () => tokens.pause(),
  };
}

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
