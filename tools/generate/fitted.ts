const WIDTH = 120;

/** A list between two texts, as prettier formats it: on one line where it fits, else each item on its own. */
export function fitted(begin: string, items: readonly string[], end: string, indent = ""): string {
  const line = `${indent}${begin}${items.join(", ")}${end}\n`;
  if (line.length <= WIDTH + 1) return line;
  const broken = items.map((item) => `${indent}  ${item},\n`).join("");
  return `${indent}${begin.trimEnd()}\n${broken}${indent}${end.trimStart()}\n`;
}
