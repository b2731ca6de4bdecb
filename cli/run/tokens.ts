import { type ModeEvent, nodeOf, textOf } from "../../provider/streaming/events";
import { lineText, paragraphText } from "../base/printable";
import { namespaceText } from "./rows";
import type { Style } from "../base/style";

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
