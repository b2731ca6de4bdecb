/** An ISO 8601 date and time without a zone. (A date alone is always read as UTC.) */
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?$/;

/**
 * A time as the platform writes it, in milliseconds since the epoch; undefined unless it is a valid time. The format of a template's times is
 * not documented (docs/internals/platform.md, SandboxTemplate): a time without a zone is UTC, not local time.
 */
export function instantOf(text: string | null | undefined): number | undefined {
  if (text == null) return undefined;
  const time = Date.parse(WITHOUT_ZONE.test(text) ? `${text.replace(" ", "T").replace(",", ".")}Z` : text);
  return Number.isNaN(time) ? undefined : time;
}

const DURATION = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

/** Milliseconds of a duration such as "90s", "30m" or "1h30m"; undefined unless the text is a positive duration. */
export function durationMs(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (!match) return undefined;
  const [, hours = "0", minutes = "0", seconds = "0"] = match;
  const total = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return total > 0 ? total : undefined;
}

/** 95000 -> "1m35s"; for people. */
export function showDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h > 0) return m > 0 ? `${h}h${m}m` : `${h}h`;
  if (m > 0) return s > 0 ? `${m}m${s}s` : `${m}m`;
  return `${s}s`;
}
