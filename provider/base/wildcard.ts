/** The expression of a pattern for a whole text, in which `*` stands for any text and every other sign for itself. @param any What `*` matches. */
export const wildcard = (pattern: string, any = ".*"): RegExp =>
  new RegExp(`^${pattern.replace(/[.*+?^${}()|[\]\\]/g, (sign) => (sign === "*" ? any : `\\${sign}`))}$`, "s");

/** Whether one of the patterns fits. */
export const fitsOne = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => wildcard(pattern).test(text));
