import type { RunEvent } from "../../provider/streaming/events";
import { jsonLine } from "../base/printable";
import type { Style } from "../base/style";
import { TextTable } from "./table";
import { Tokens } from "./tokens";

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
