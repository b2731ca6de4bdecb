import type { LogEntry } from "../../base/exchange";
import type { ConsoleServices, Query } from "../handler";

/** Rows of a page: enough for the browser's own search, few enough to be drawn and sent at once. */
const PAGE_ROWS = 50;

/** One page of a list; a page beyond the end is the last one. */
export function pageOf<T, R>(all: readonly T[], wanted: string | undefined, rowOf: (item: T) => R) {
  const pages = Math.max(1, Math.ceil(all.length / PAGE_ROWS));
  const number = /^\d{1,9}$/.test(wanted ?? "") ? Number(wanted) : 1;
  const page = Math.min(Math.max(1, number), pages);
  const rows = all.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map(rowOf);
  return { rows, total: all.length, page, pages };
}

/** A page of the request log, newest first. */
export const requests = ({ log }: ConsoleServices, query: Query) =>
  pageOf([...log.entries].reverse(), query("requests"), requestRow);

export type RequestRow = ReturnType<typeof requestRow>;

export const requestRow = ({ seq, at, method, path, status, fault }: LogEntry) => ({
  seq,
  at: Date.parse(at),
  method,
  path,
  status,
  fault,
});

/** The page of one request; undefined for one that the log does not have. */
export function requestPage({ log }: ConsoleServices, seq: string) {
  const index = Number(seq) - (log.entries[0]?.seq ?? 0);
  const entry = /^\d{1,15}$/.test(seq) ? log.entries[index] : undefined;
  if (entry === undefined) return undefined;
  return {
    request: requestRow(entry),
    query: Object.entries(entry.query).map(([parameter, value]) => ({ parameter, value })),
    phase: entry.phase,
    tenant: entry.tenant,
    body: entry.requestBody === null ? null : JSON.stringify(entry.requestBody, null, 2),
  };
}
