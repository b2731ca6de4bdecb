/** Comments of code hosts end at so many characters. */
export const LONGEST_COMMENT = 65_536;

/** A row of a table. */
export const tableRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** Longer than any row of backticks in the text. */
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

/** Text from elsewhere as it is: no markup, no mention of a person or an issue, no HTML. */
export function plainText(text: string): string {
  return text
    .replace(/[\\`*[\]<>|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/@/g, "&#64;")
    .replace(/#/g, "&#35;");
}

/** Lines as they are, in a block. */
export function block(text: string): string {
  const fence = fenceOf(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}
