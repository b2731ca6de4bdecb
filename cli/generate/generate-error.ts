/** Nothing was generated. The message says why, and what to do. */
export class GenerateError extends Error {
  override readonly name = "GenerateError";
}
