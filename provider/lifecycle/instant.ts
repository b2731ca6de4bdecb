/** A date and time of ISO 8601 that does not say in which zone; a date alone is UTC to everybody. */
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?$/;

/**
 * A time as the platform writes it, in milliseconds since the epoch; undefined where it is none. The format of a template's times is
 * not documented (docs/platform.md, SandboxTemplate): one without a zone is the platform's, UTC, and not this machine's.
 */
export function instantOf(text: string | null | undefined): number | undefined {
  if (text == null) return undefined;
  const time = Date.parse(WITHOUT_ZONE.test(text) ? `${text.replace(" ", "T").replace(",", ".")}Z` : text);
  return Number.isNaN(time) ? undefined : time;
}
