import { Cron } from "croner";
import { ApiError } from "../base/api-error";

/** When a schedule is next due after a time (docs/internals/platform.md, Crons of an agent). Throws as the agent server does. */
export function nextRun(schedule: string, timezone: string | null, now: number): string {
  if (timezone !== null && !isZone(timezone)) throw new ApiError(422, `'${timezone}' is no IANA time zone`);
  const next = cronOf(schedule, timezone ?? "UTC").nextRun(new Date(now));
  if (next === null) throw new ApiError(400, "the schedule never comes");
  return next.toISOString().replace(/\.\d+Z$/, "+00:00");
}

/** The server has the seconds last, the library first; and the last Friday is "L5" there, "5L" here. */
function cronOf(schedule: string, timezone: string): Cron {
  const fields = schedule.trim().split(/\s+/);
  const ordered = fields.length === 6 ? [...fields.slice(5), ...fields.slice(0, 5)] : fields;
  const pattern = ordered.map((field) => field.replace(/\bL(\d)/gi, "$1L")).join(" ");
  try {
    if (fields.length < 5 && !schedule.startsWith("@")) throw new Error("too few fields");
    return new Cron(pattern, { timezone, paused: true });
  } catch {
    throw new ApiError(422, `Invalid cron schedule: '${schedule}'`);
  }
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
