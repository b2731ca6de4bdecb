import { lineText } from "./printable";

/** Lines with their cells in columns, safe on a terminal wherever they come from; the last cell of a line is not padded. */
export function columns(given: readonly (readonly string[])[]): string[] {
  const rows = given.map((row) => row.map(lineText));
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, lengthOf(cell))));
  const pad = (cell: string, at: number): string => cell + " ".repeat((widths[at] ?? 0) - lengthOf(cell));
  return rows.map((row) => row.map(pad).join("  ").trimEnd());
}

const lengthOf = (text: string): number => Array.from(text).length;
