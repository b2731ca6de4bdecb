import { shortText } from "./printable";

/** Marks text for people: headings, details, errors. */
export interface Style {
  readonly heading: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly wrong: (text: string) => string;
}

const sgr =
  (code: number) =>
  (text: string): string =>
    text === "" ? "" : `\x1b[${code}m${text}\x1b[0m`;

const PLAIN: Style = { heading: (text) => text, faint: (text) => text, wrong: (text) => text };
const COLOURED: Style = { heading: sgr(36), faint: sgr(2), wrong: sgr(31) };

/** Colours on a terminal, unless NO_COLOR (any text but the empty one) or a dumb terminal says otherwise. */
export function styleFor(isTerminal: boolean, environment: NodeJS.ProcessEnv): Style {
  return isTerminal && !environment["NO_COLOR"] && environment["TERM"] !== "dumb" ? COLOURED : PLAIN;
}

/** A line of progress for a person at a terminal. */
export interface ProgressLine {
  readonly show: (text: string) => void;
  /** Erases it. */
  readonly end: () => void;
}

type Screen = Pick<NodeJS.WriteStream, "isTTY" | "columns"> & { write(text: string): unknown };

/** One line that changes, cut to the width of the terminal, since only its last row can be erased; nothing where the stream is no terminal. */
export function progressOn(stream: Screen): ProgressLine {
  const show = (text: string): void => {
    if (stream.isTTY) stream.write(`\r\x1b[K${shortText(text, (stream.columns || 80) - 1)}`);
  };
  return { show, end: () => show("") };
}
