import { Cron, CronPattern } from "croner";
import { messageOf } from "../../base/errors";

/** Why a server refuses a schedule; undefined if it accepts it, or if only the server can judge it (docs/internals/platform.md, Crons of an agent). */
export function scheduleProblem(schedule: string): string | undefined {
  const fields = schedule.trim().split(/\s+/);
  if (fields.length > 6) return undefined;
  // The server has the seconds last, the library first.
  const ordered = fields.length === 6 ? [...fields.slice(5), ...fields.slice(0, 5)] : fields;
  const read = ordered.map((field) => field.split(",").map(asRead).join(","));
  try {
    new CronPattern(read.join(" "));
  } catch (error) {
    return `is not a cron schedule (${messageOf(error)}): give minute, hour, day of month, month and day of week, like "0 9 * * 1-5", or "@daily"`;
  }
  return neverComes(ordered.join(" ")) ? "never comes: give a day that one of its months has" : undefined;
}

/** False for what only a server reads. */
function neverComes(pattern: string): boolean {
  try {
    return new Cron(pattern, { paused: true }).nextRun() === null;
  } catch {
    return false;
  }
}

/** One part of a field, rewritten for the library: a server also accepts ranges that wrap ("fri-mon"), long steps, and "L5" for the last Friday. */
function asRead(part: string): string {
  const [range = "", step, ...rest] = part.split("/");
  if (rest.length > 0 || (step !== undefined && !(/^\d{1,9}$/.test(step) && Number(step) > 0))) return part;
  const last = /^L(\d)$/i.exec(range);
  if (last !== null) return `${last[1] ?? ""}L`;
  return range.split("-").length === 2 ? range.replace("-", ",") : range;
}

/** Why a server refuses a timezone; undefined if it accepts it. */
export function timezoneProblem(name: string): string | undefined {
  const reason = 'is not an IANA time zone: give one like "Europe/Berlin"';
  try {
    const { timeZone: known } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    if (known !== name && known.toLowerCase() === name.toLowerCase())
      return `is not an IANA time zone, whose names mind upper case: give "${known}"`;
    // Node also accepts offsets, and other names of a zone in any case ("us/pacific").
    return /^[A-Z]/.test(name) ? undefined : reason;
  } catch {
    return reason;
  }
}
