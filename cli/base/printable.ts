import { STEERING } from "../../provider/base/plain-text";

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Text of one line that cannot steer a terminal: control characters are spelled out, as in JSON. Safe on any part of a text. */
export const lineText = (text: string): string => text.replace(STEERING, escaped);

/** The same for text of several lines: line ends and tabs stay. */
export function paragraphText(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(STEERING, (character) => (character === "\n" || character === "\t" ? character : escaped(character)));
}

/** At most this many characters, the last of them an ellipsis where something was cut off; one line, safe on a terminal. */
export function shortText(text: string, longest: number): string {
  // A state may be megabytes long: only what can be shown is looked at.
  const characters = Array.from(lineText(text.slice(0, 2 * longest + 2)));
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : characters.join("");
}

/** A line of JSON. JSON leaves much of what steers a terminal, or reorders what it shows, as it is. */
export const jsonLine = (value: object): string => `${safeJson(JSON.stringify(value))}\n`;

/** The same on several lines, for a report. */
export const jsonText = (value: object): string => `${safeJson(JSON.stringify(value, undefined, 2))}\n`;

const safeJson = (text: string): string => text.replace(STEERING, (one) => (one === "\n" ? one : escaped(one)));

/** Lines with their cells in columns, safe on a terminal wherever they come from; the last cell of a line is not padded. */
export function columns(given: readonly (readonly string[])[]): string[] {
  const rows = given.map((row) => row.map(lineText));
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, lengthOf(cell))));
  const pad = (cell: string, at: number): string => cell + " ".repeat((widths[at] ?? 0) - lengthOf(cell));
  return rows.map((row) => row.map(pad).join("  ").trimEnd());
}

const lengthOf = (text: string): number => Array.from(text).length;
