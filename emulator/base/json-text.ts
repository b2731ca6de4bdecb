/** Far more than any body of the API has. A value too deep for JSON.stringify would break every later answer. */
const MOST_LEVELS = 100;

/** What a body holds as JSON, or why it is not taken. */
export function readJson(text: string): { readonly value?: unknown; readonly problem?: "invalid" | "too deep" } {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(value, MOST_LEVELS) ? { problem: "too deep" } : { value };
  } catch {
    return { problem: "invalid" };
  }
}

/** Also true for a value that contains itself. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}
