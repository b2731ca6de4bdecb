import { safeText } from "../base/masker";
import { lastStates } from "../base/plain-text";

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
    .map((line) => shortened(line.trimEnd()))
    .filter((line) => line !== "")
    .slice(-LINES);
  return lines.slice(firstThatFits(lines));
}

function shortened(line: string): string {
  const characters = Array.from(line.slice(0, 2 * LINE_CHARACTERS + 2));
  return characters.length > LINE_CHARACTERS ? `${characters.slice(0, LINE_CHARACTERS - 1).join("")}…` : line;
}

function firstThatFits(lines: readonly string[]): number {
  let bytes = 0;
  return lines.findLastIndex((line) => (bytes += Buffer.byteLength(line) + 1) > BYTES) + 1;
}
