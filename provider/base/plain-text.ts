/**
 * What makes a command for the runner of a pipeline of a text in its log, all but the last `#` or `:`: `##vso[task.setvariable]`, `##teamcity[`, and
 * `::add-mask::` where it may begin a line, not `std::error`.
 */
export const COMMANDING =
  /(?<!#)#+(?=#\w*\[)|(?<![\w:)>\]]):+(?=:(?:add-|debug|echo|(?:end)?group|error|internal-|notice|remove-|save-|set-|stop-|warning))/gi;

/** Characters that move the cursor, change a terminal's state, or reorder the line, and halves of one; not those that join letters and emoji. */
export const STEERING = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;

const ESC = "\x1b";
/**
 * One terminal command (ECMA-48): a control sequence; a string with its end, such as a title or a link; a short escape.
 * A control character ends a string, so no part of a text is scanned twice.
 */
const COMMAND = new RegExp(
  `(?:${ESC}\\[|\x9b)[0-?]*[ -/]*[@-~]` +
    `|(?:${ESC}[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\n\x07\x80-\x9f${ESC}]*(?:[\x07\x9c]|${ESC}\\\\)` +
    `|${ESC}[ -/]*[0-~]`,
  "g",
);

/**
 * Text from elsewhere without commands for a terminal or a pipeline, without control characters, and without half of an emoji
 * (docs/internals/engine.md, trap 64); line ends and tabs stay. The engine takes `<{%fg 1%}>` for a colour, also in an error of a program, and panics at
 * one that it does not know (docs/internals/engine.md, trap 39).
 */
export function plainText(text: string): string {
  return text
    .replace(COMMAND, "")
    .replace(STEERING, (character) => (character === "\n" || character === "\t" ? character : ""))
    .replace(COMMANDING, "")
    .replaceAll("<{%", "< {%");
}

/** The lines of a log; for a line that was overwritten (a progress bar), its last state. */
export const lastStates = (log: string): string =>
  log
    .split("\n")
    .map((line) => withoutEnd(line, "\r"))
    .map((line) => line.slice(line.lastIndexOf("\r") + 1))
    .join("\n");

/** The first of these names, and how many more there are. */
export const someOf = (names: readonly string[], most = 5): string =>
  names.slice(0, most).join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");

/** At most this many characters, the last of them an ellipsis where something was cut off. */
export function cutOff(text: string, longest: number): string {
  // A text may have megabytes, so only the part that can be shown is looked at.
  const characters = Array.from(text.slice(0, 2 * longest + 2));
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : text;
}

/** The text without these characters at its end. */
export function withoutEnd(text: string, characters: string): string {
  let length = text.length;
  while (length > 0 && characters.includes(text.charAt(length - 1))) length -= 1;
  return text.slice(0, length);
}
