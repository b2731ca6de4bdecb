import type { LogEntry } from "../../base/log-entry";
import { pathMatches } from "../../faults/trigger";
import { faultName } from "../fault-form";
import type { ShownPage } from "../live";
import type { ConsoleParts } from "../parts";
import type { Traffic } from "../traffic";
import type { RequestRow, RequestsView } from "../views";
import type { Query } from "./paging";
import { switchedOn } from "./switched-on";

const PAGE_ROWS = 50;
/** A longer filter of paths fits none: it is compared with every request of the log. */
const LONGEST_FILTER = 200;

/** What the pages of requests look at. */
export interface RequestParts {
  readonly traffic: Traffic;
}

/** A page of the request log, newest first. */
export function requests(
  parts: ConsoleParts & RequestParts,
  query: Query,
): ShownPage & { readonly view: RequestsView } {
  const { log, traffic } = parts;
  const passes = filterOf(query, traffic);
  const before = /^\d{1,15}$/.test(query("before") ?? "") ? Number(query("before")) : Infinity;
  const found = newestOf(log.entries, (entry) => entry.seq < before && passes(entry), PAGE_ROWS + 1);
  const rows = found.slice(0, PAGE_ROWS).map((entry) => requestRow(entry, traffic));
  const view: RequestsView = {
    kind: "requests",
    switchedOn: switchedOn(parts),
    rows,
    logged: log.entries.length,
    isNewest: before === Infinity,
    older: found.length > PAGE_ROWS ? olderThan(rows.at(-1)?.seq ?? 0, query) : undefined,
  };
  return { view, nextAt: Infinity };
}

/** The latest that pass, newest first: stops looking once it has enough. */
function newestOf(entries: readonly LogEntry[], passes: (entry: LogEntry) => boolean, enough: number): LogEntry[] {
  const found: LogEntry[] = [];
  for (let index = entries.length - 1; index >= 0 && found.length < enough; index -= 1) {
    const entry = entries[index];
    if (entry !== undefined && passes(entry)) found.push(entry);
  }
  return found;
}

function filterOf(query: Query, traffic: Traffic): (entry: LogEntry) => boolean {
  const [path = "", status = "", client = ""] = ["path", "status", "client"].map((name) => (query(name) ?? "").trim());
  const [fitsPath, wantedStatus, wantedClient] = [pathFilter(path), status.toLowerCase(), client.toLowerCase()];
  return (entry) =>
    fitsPath(entry.path) &&
    fitsStatus(entry, wantedStatus) &&
    (traffic.of(entry)?.client ?? "").toLowerCase().includes(wantedClient);
}

function pathFilter(wanted: string): (path: string) => boolean {
  if (wanted.length > LONGEST_FILTER) return () => false;
  return wanted.includes("*") ? pathMatches(wanted) : (path) => path.includes(wanted);
}

/** "503", "5xx", "none" (no answer), or the kind of a fault. */
function fitsStatus({ status, fault }: LogEntry, wanted: string): boolean {
  if (wanted === "") return true;
  if (wanted === "none") return status === null;
  if (/^\d(xx)?$/.test(wanted)) return String(status).startsWith(wanted.charAt(0)) && status !== null;
  return String(status) === wanted || (fault !== null && [fault, faultName(fault).toLowerCase()].includes(wanted));
}

/** A request as a row. */
export function requestRow(entry: LogEntry, traffic: Traffic): RequestRow {
  const seen = traffic.of(entry);
  return {
    seq: entry.seq,
    at: Date.parse(entry.at),
    method: entry.method,
    path: entry.path,
    status: entry.status,
    ms: seen?.ms === undefined ? undefined : Math.round(seen.ms * 10) / 10,
    fault: entry.fault,
    struck: entry.fault === null ? null : faultName(entry.fault),
    client: seen?.client ?? "",
  };
}

function olderThan(seq: number, query: Query): string {
  const kept = new URLSearchParams();
  for (const name of ["path", "status", "client"]) {
    const value = query(name) ?? "";
    if (value !== "") kept.set(name, value);
  }
  kept.set("before", String(seq));
  return `/console/requests?${kept.toString()}`;
}
