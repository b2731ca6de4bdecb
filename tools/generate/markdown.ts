/** A table, as prettier formats it. */
export function markdownTable([header = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |\n`;
  return [line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("");
}

/** A paragraph, wrapped at this many characters. */
export function paragraph(text: string, width = 130): string {
  const lines = text.split(" ").reduce<string[]>((all, word) => {
    const longer = all.length === 0 ? word : `${all.at(-1) ?? ""} ${word}`;
    return all.length === 0 || longer.length > width ? [...all, word] : [...all.slice(0, -1), longer];
  }, []);
  return `${lines.join("\n")}\n`;
}
