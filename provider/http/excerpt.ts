import { safeText } from "../base/masker";
import { cutOff, lastStates } from "../base/plain-text";

const LINES = 20;
const BYTES = 4096;
const LINE_CHARACTERS = 500;

/**
 * The last lines of a log, for an error message: at most 20, of 500 characters each and 4 KiB in all; without what steers a terminal and
 * without secrets.
 * @param messages Oldest first; one may be several lines.
 */
export function excerptOf(messages: readonly string[]): string[] {
  const lines = safeText(lastStates(messages.join("\n")))
    .split("\n")
    .map((line) => cutOff(line.trimEnd(), LINE_CHARACTERS))
    .filter((line) => line !== "")
    .slice(-LINES);
  return lines.slice(firstThatFits(lines));
}

function firstThatFits(lines: readonly string[]): number {
  let bytes = 0;
  return lines.findLastIndex((line) => (bytes += Buffer.byteLength(line) + 1) > BYTES) + 1;
}
