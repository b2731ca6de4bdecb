import { type Log, showDuration } from "../../provider/tools";
import { lineText } from "../base/printable";

/** The progress of a wait: a line that changes, for a person at a terminal; a line for each status otherwise. */
export function waitProgressOn(stream: NodeJS.WriteStream): { readonly log: Log; readonly end: () => void } {
  let last = "";
  const log: Log = {
    progress: ({ status, of, waitedMs }) => {
      const line = lineText(of === undefined ? status : `${of} is ${status}`);
      if (stream.isTTY) stream.write(`\r\x1b[K${line} (${showDuration(waitedMs)}; Ctrl-C ends only the wait)`);
      else if (line !== last) stream.write(`${line}\n`);
      last = line;
    },
    // The command says itself how the wait ended.
    finishProgress: () => Promise.resolve(),
    debug: () => undefined,
    info: (message) => stream.write(`${lineText(message)}\n`),
    warn: (message) => stream.write(`warning: ${lineText(message)}\n`),
  };
  const end = (): void => {
    if (stream.isTTY) stream.write("\r\x1b[K");
  };
  return { log, end };
}
