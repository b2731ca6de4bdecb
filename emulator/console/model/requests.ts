import type { LogEntry } from "../../base/log-entry";
import { HARMLESS_FIELDS, redacted } from "../../server/request-log";
import type { ConsoleServices, Query } from "../handler";
import type { KeptAnswer, Traffic } from "../traffic";
import type { RequestRow, RequestsView, RequestView, Section } from "../views";

/** Rows of a page: enough for the browser's own search, few enough to be drawn and sent at once. */
const PAGE_ROWS = 50;

/** One page of a list; a page beyond the end is the last one. */
export function pageOf<T, R>(all: readonly T[], wanted: string | undefined, rowOf: (item: T) => R): Section<R> {
  const pages = Math.max(1, Math.ceil(all.length / PAGE_ROWS));
  const number = /^\d{1,9}$/.test(wanted ?? "") ? Number(wanted) : 1;
  const page = Math.min(Math.max(1, number), pages);
  const rows = all.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map(rowOf);
  return { rows, total: all.length, page, pages };
}

/** A page of the request log, newest first. */
export const requests = ({ log, traffic }: ConsoleServices, query: Query): RequestsView => ({
  kind: "requests",
  requests: pageOf([...log.entries].reverse(), query("requests"), (entry) => requestRow(entry, traffic)),
});

/** A request as a row. */
export function requestRow(entry: LogEntry, traffic: Traffic): RequestRow {
  const seen = traffic.of(entry);
  const { seq, at, method, path, status, fault } = entry;
  const ms = seen?.ms === undefined ? undefined : Math.round(seen.ms * 10) / 10;
  return { seq, at: Date.parse(at), method, path, status, ms, fault, client: seen?.client ?? "" };
}

/** What answers show beside what requests show: the platform made it, no client did. */
const ANSWERED_FIELDS = new Set([
  ...HARMLESS_FIELDS,
  "id",
  "status",
  "created_at",
  "updated_at",
  "latest_revision_id",
  "active_revision_id",
  "image_version",
  "offset",
  "type",
  "msg",
]);

const NOT_KEPT = "The answer was not kept: no page was open when it was sent, or it is too old.";

/** The page of one request; undefined for one that the log does not have. */
export function requestPage({ log, traffic }: ConsoleServices, seq: string): RequestView | undefined {
  const index = Number(seq) - (log.entries[0]?.seq ?? 0);
  const entry = /^\d{1,15}$/.test(seq) ? log.entries[index] : undefined;
  if (entry === undefined) return undefined;
  const seen = traffic.of(entry);
  return {
    kind: "request",
    request: requestRow(entry, traffic),
    query: Object.entries(entry.query).map(([parameter, value]) => ({ parameter, value })),
    phase: entry.phase,
    tenant: entry.tenant,
    body: entry.requestBody === null ? null : JSON.stringify(entry.requestBody, null, 2),
    answer: seen?.answer === undefined ? NOT_KEPT : answerText(entry, seen.ms, seen.answer.read()),
  };
}

function answerText(entry: LogEntry, ms: number | undefined, { bytes, contentType, text }: KeptAnswer): string {
  if (ms === undefined && bytes === 0) return "There is no answer yet.";
  if (bytes === 0) return entry.status === null ? "There was no answer: the connection was cut." : "It has no body.";
  if (contentType.startsWith("text/event-stream")) return `A stream of ${bytes} bytes (not kept).`;
  if (text === undefined) return `${bytes} bytes: too long or too old to be kept.`;
  // A gateway that repeats the request repeats its secrets: of a struck answer, only its shape is shown.
  const fields = entry.fault === null ? detailOf(entry) : ANSWERED_FIELDS;
  try {
    return JSON.stringify(redacted(JSON.parse(text), "", fields), null, 2);
  } catch {
    return `${bytes} bytes that are not JSON (${contentType === "" ? "no content type" : contentType}).`;
  }
}

/** The platform's own words on what was wrong. An agent repeats what it was sent, so its words are left out. */
function detailOf({ path }: LogEntry): ReadonlySet<string> {
  return path.startsWith("/agents/") ? ANSWERED_FIELDS : new Set([...ANSWERED_FIELDS, "detail", "error", "message"]);
}
