/** Whether a whole text fits a pattern, in which `*` stands for any text and every other sign for itself. Each part is looked for once. */
export function matchesWildcard(pattern: string, text: string): boolean {
  const [start = "", ...parts] = pattern.split("*");
  const end = parts.pop();
  if (end === undefined) return text === pattern;
  if (text.length < start.length + end.length || !text.startsWith(start) || !text.endsWith(end)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - end.length;
}

export const fitsOne = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => matchesWildcard(pattern, text));
