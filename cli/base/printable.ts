import { SECRET } from "./changed-fields";
import { COMMANDING, cutOff, STEERING } from "../../provider/base/plain-text";

/** A character as JSON spells it out. */
export function escaped(character: string): string {
  let spelled = "";
  for (let at = 0; at < character.length; at++)
    spelled += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  return spelled;
}

/** Text of one line that cannot steer a terminal or a pipeline: control characters are spelled out, as in JSON. Safe on any part of a text. */
export const lineText = (text: string): string => text.replace(STEERING, escaped).replace(COMMANDING, escaped);

/** The same for text of several lines: line ends and tabs stay. */
export function paragraphText(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(STEERING, (character) => (character === "\n" || character === "\t" ? character : escaped(character)))
    .replace(COMMANDING, escaped);
}

/** At most this many characters, the last of them an ellipsis where something was cut off; one line, safe on a terminal. */
export function shortText(text: string, longest: number): string {
  // A state may have megabytes, so process only the part that can be shown.
  return cutOff(lineText(text.slice(0, 2 * longest + 2)), longest);
}

/** A line of JSON, with the characters escaped that JSON leaves alone but that control a terminal or reorder its text. */
export const jsonLine = (value: object): string => `${paragraphText(JSON.stringify(value))}\n`;

/** The same on several lines, for a report. */
export const jsonText = (value: object): string => `${paragraphText(JSON.stringify(value, undefined, 2))}\n`;

/** Lines with their cells in columns, safe on a terminal wherever they come from. An empty column is left out, and the last cell of a line not padded. */
export function columns(given: readonly (readonly string[])[]): string[] {
  const rows = given.map((row) => row.map(lineText));
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, widthOf(cell))));
  const pad = (cell: string, at: number): string => cell + " ".repeat((widths[at] ?? 0) - widthOf(cell));
  const isUsed = (_cell: string, at: number): boolean => widths[at] !== 0;
  return rows.map((row) => row.map(pad).filter(isUsed).join("  ").trimEnd());
}

/** How wide a line of a report is, as far as its words allow. */
export const WIDTH = 80;

/** A longer cell of a table is on a line of its own: it would push the columns of all rows away. */
const LONGEST_CELL = 48;

/** Columns as an indented table: those that the width has no room for are below the first ones, and below those each long cell, on as many lines as it needs. */
export function tableLines(given: readonly (readonly string[])[]): string[] {
  const isLong = (cell: string): boolean => widthOf(lineText(cell)) > LONGEST_CELL;
  const rows = given.map((row) => row.map((cell) => (isLong(cell) ? "" : cell)));
  const [head = []] = rows;
  const groups: number[][] = [];
  let room = 0;
  head.forEach((_cell, at) => {
    const width = Math.max(...rows.map((row) => widthOf(lineText(row[at] ?? ""))));
    if (groups.length === 0 || width > room) [room] = [WIDTH - (groups.push([]) === 1 ? 2 : 6)];
    groups.at(-1)?.push(at);
    room -= width === 0 ? 0 : width + 2;
  });
  const [first = [], ...below] = groups.map((group) => columns(rows.map((row) => group.map((at) => row[at] ?? ""))));
  return first.flatMap((line, at) => [
    `  ${line}`,
    ...below.flatMap((lines) => (lines[at] ? [`      ${lines[at]}`] : [])),
    ...(given[at] ?? []).filter(isLong).flatMap((cell) => sentenceLines(lineText(cell), "      ")),
  ]);
}

/** Rows whose last two cells are the sides of a change, or one and nothing. Where the columns are too wide, a row that does not fit has them below it. */
export function changeLines(rows: readonly (readonly string[])[]): string[] {
  const lines = columns(rows);
  const fits = (line: string): boolean => widthOf(line) <= WIDTH;
  if (lines.every(fits)) return lines;
  return rows.flatMap((row) => {
    const [head, ...sides] = [row.slice(0, -2).join("  "), ...row.slice(-2)]
      .map(lineText)
      .filter((cell) => cell !== "");
    const line = [head, ...sides].join("  ");
    const below = sides.map((side) => `${side.startsWith("-> ") ? "    " : "       "}${side}`);
    return fits(line) ? [line] : [head ?? "", ...below];
  });
}

/** How many characters a text has. */
const widthOf = (text: string): number => Array.from(text).length;

/** How many characters of a value a report shows: on a line of text, and in a comment. */
export const LONGEST_VALUE = { text: 60, markdown: 300 } as const;

/** Both sides of a change, as reports show them: JSON, on one line, safe on a terminal, shortened to where they differ. Empty for a missing side. */
export function sideTexts(before: unknown, after: unknown, longest: number): readonly [string, string] {
  const [one, other] = [wholeText(before), wholeText(after)];
  return [shortened(one, other, longest), shortened(other, one, longest)];
}

const wholeText = (value: unknown): string =>
  value === undefined ? "" : value === SECRET ? SECRET : printable(JSON.stringify(value));

/** Begins shortly before the first difference; of a text alone, the middle is left out. */
function shortened(text: string, other: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return text;
  const cut = (from: number, to?: number): string => characters.slice(from, to).join("");
  const half = Math.floor(longest / 2);
  if (other === "") return `${cut(0, half)}…${cut(half - longest + 1)}`;
  const others = Array.from(other);
  const differs = characters.findIndex((character, at) => character !== others[at]);
  const from = Math.min(differs - half, characters.length - longest + 1);
  if (from <= 0) return cutOff(text, longest);
  return `…${cutOff(cut(from), longest - 1)}`;
}

const LONGEST_SENTENCE = 1000;

/** A problem that the provider has put into words, which is shown whole, where a value is shortened; undefined for any other field. */
export const problemText = (path: string, value: unknown): string | undefined =>
  typeof value === "string" && ["problem", "rollout.problem"].includes(path)
    ? cutOff(printable(value), LONGEST_SENTENCE)
    : undefined;

/** A sentence on lines, indented; a command in it is not divided. */
export const sentenceLines = (text: string, first = "  ", next = " ".repeat(first.length)): string[] =>
  filled(text.match(/(?:`[^`]*`|\S)+/g) ?? [], first, next);

/** What shows nothing by itself; not the joiner in the middle of an emoji. */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes control characters: text from elsewhere must not steer a terminal, or hide in a comment. */
export const printable = (text: string): string => text.replace(HIDDEN, escaped).replace(COMMANDING, escaped);

/** A name or an id: escaped like a string in JSON, without its quotes. */
export const nameText = (text: string): string => printable(JSON.stringify(text).slice(1, -1));

/** Names with commas, on as many indented lines as they need. */
export const nameLines = (names: readonly string[]): string[] =>
  filled(names.map((name, index) => (index < names.length - 1 ? `${printable(name)},` : printable(name))));

function filled(words: readonly string[], first = "  ", next = first): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(first + word);
    else if (last.length + 1 + word.length > WIDTH) lines.push(next + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Compares texts one after the other, the same everywhere: not by the language of the machine. */
export function byTexts<Item>(texts: (item: Item) => readonly string[]): (a: Item, b: Item) => number {
  return (a, b) => {
    const [one, other] = [texts(a), texts(b)];
    const at = one.findIndex((text, index) => text !== other[index]);
    return at < 0 ? 0 : (one[at] ?? "") < (other[at] ?? "") ? -1 : 1;
  };
}

/** The items in groups with an equal key, in the order in which each first comes. */
export function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): [Item, ...Item[]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
