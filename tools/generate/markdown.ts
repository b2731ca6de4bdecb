/** A table, as prettier formats it. */
export function markdownTable([header = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |\n`;
  return [line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("");
}

export const paragraph = (text: string): string => `${wrapped(text, 130).join("\n")}\n`;

export const wrapped = (text: string, width: number): string[] =>
  text.split(" ").reduce<string[]>((all, word) => {
    const last = all.at(-1);
    const longer = `${last ?? ""} ${word}`;
    return last === undefined || longer.length > width ? [...all, word] : [...all.slice(0, -1), longer];
  }, []);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The line that says where a page comes from. */
export const mark = (source: string): string => `<!-- Generated from ${source} by \`npm run generate\`. -->\n`;

/** A description, with links instead of the paths and the types that a comment names. For a page in docs/reference. */
export const linked = (text: string): string =>
  text
    .replace(/\{@link (\w+)\}/g, "`$1`")
    .replace(
      /\(docs\/((?:[\w-]+\/)?([\w-]+)\.md)\)/g,
      (_all, page: string, title: string) => `([${title}](../${page}))`,
    )
    .replace('Needs contract "extended"', "Needs [contract](../concepts/contracts.md) `extended`")
    .replace(/ ?\(docs\/internals\/platform\.md, [^)]*\)/g, "");
