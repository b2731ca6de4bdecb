import { printable } from "./value-text";

/** Names with commas, on as many indented lines of this width as they need. */
export function nameLines(names: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const [index, name] of names.map(printable).entries()) {
    const text = index < names.length - 1 ? `${name},` : name;
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + text.length > width) lines.push(`  ${text}`);
    else lines[lines.length - 1] = `${last} ${text}`;
  }
  return lines;
}
