/** Drift could not be found out. The message says why, and what to do. */
export class DriftError extends Error {
  override readonly name = "DriftError";
}
