import { lineText } from "./printable";

/** A line of progress for a person at a terminal. */
export interface ProgressLine {
  readonly show: (text: string) => void;
  /** Erases it. */
  readonly end: () => void;
}

/** One line that changes; nothing where the stream is no terminal. */
export function progressOn(stream: NodeJS.WriteStream): ProgressLine {
  const show = (text: string): void => {
    if (stream.isTTY) stream.write(`\r\x1b[K${lineText(text)}`);
  };
  return { show, end: () => show("") };
}
