import { lastStates, plainText } from "../../provider/tools";
import { jsonLine, lineText } from "../base/printable";
import type { Style } from "../base/style";
import type { ShownEntry } from "./log-reader";

/** An entry as the text of standard output. */
export type EntryPrinter = (entry: ShownEntry) => string;

/** For people. @param heading Is told where another log begins. */
export function peopleEntryPrinter({ faint, wrong }: Style, heading: (line: string) => void): EntryPrinter {
  let before: string | undefined;
  return ({ log, timestamp, level, message }) => {
    if (log !== before) heading(`${log} log:`);
    before = log;
    const isBad = level !== null && /^(error|critical|fatal)$/i.test(level);
    const text = [level === null ? "" : lineText(level), plainText(lastStates(message)).trimEnd()]
      .filter((part) => part !== "")
      .join(" ");
    return [timestamp === null ? "" : `${faint(lineText(timestamp))} `, isBad ? wrong(text) : text, "\n"].join("");
  };
}

/** For programs: without loss. */
export const jsonEntryPrinter: EntryPrinter = ({ log, timestamp, level, message }) =>
  jsonLine({ log, timestamp, level, message });
