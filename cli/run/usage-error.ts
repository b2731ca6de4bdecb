/** The command line, or what it names, is wrong. The message begins with the flag. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
