/** Comments of code hosts end at so many characters. */
export const LONGEST_COMMENT = 65_536;

/** The texts that fit into so many characters, with `between` characters for each; the others are left out. */
export function fitting(texts: readonly string[], room: number, between: number): string[] {
  let used = 0;
  return texts.filter(({ length }) => {
    if (used + length + between > room) return false;
    used += length + between;
    return true;
  });
}

/** A row of a table. */
export const tableRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** A fence that is longer than any row of backticks in the text. */
function fenceOf(text: string, shortest: number): string {
  const rows = [...text.matchAll(/`+/g)].map(([backticks]) => backticks.length + 1);
  return "`".repeat(Math.max(shortest, ...rows));
}

/** A code span, also in a cell of a table. */
export function code(text: string): string {
  if (text === "") return "";
  const fence = fenceOf(text, 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return fence + space + text.replace(/\|/g, "\\|") + space + fence;
}

/** A word joiner: invisible, and not part of a name, a number or an address. */
const JOINER = "\u2060";

/** The places at which code hosts would recognize a person, an issue, an address or the like. */
const REFERENCES = /(?<=[@#!$%^~&])(?=[\w".])|(?<=\bGH-)(?=\d)|(?<=:)(?=\/\/)|(?<=\bwww)(?=\.)/gi;

/** More hexadecimal digits than a part of a UUID has: code hosts may link them as a commit, but never fewer than seven. */
const COMMIT = /[\da-f]{13,}/gi;

/** Code hosts look at the rendered text, so an escaped character can still begin a mention. */
const withoutReferences = (text: string): string =>
  text.replace(REFERENCES, JOINER).replace(COMMIT, (digits) => digits.replace(/.{6}(?=.)/g, `$&${JOINER}`));
const asEntities = (text: string): string => text.replaceAll(JOINER, "&#8288;");

/** Text from elsewhere as it is: no markup, no mention of a person or an issue, no link, no HTML. */
export function plainMarkdown(text: string): string {
  const escaped = withoutReferences(text)
    .replace(/[\\`*[\]<>|~#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\$&")
    .replaceAll("&", "&amp;");
  return asEntities(escaped);
}

/** The same inside an element of HTML, where markup of Markdown is text. */
export function elementText(text: string): string {
  return withoutReferences(text).replace(/[^\w .:/-]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
}

/** Lines as they are, in a block. */
export function block(text: string): string {
  const fence = fenceOf(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}

/** A heading, and a text report below it as it is: indented, it needs no fence that the text could end. Cut between lines. */
export function commentText(heading: string, text: string): string {
  const whole = `## ${heading}\n\n${text.trimEnd().replace(/^(?=.)/gm, "    ")}\n`;
  if (whole.length <= LONGEST_COMMENT) return whole;
  const shown = whole.slice(0, whole.lastIndexOf("\n", LONGEST_COMMENT - 100));
  return `${shown.trimEnd()}\n\nThe rest is left out here; \`--format json\` shows it all.\n`;
}
