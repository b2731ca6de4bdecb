import type { LogEntry } from "../../base/log-entry";
import type { ShownPage } from "../live";
import type { ConsoleParts } from "../parts";
import type { Traffic } from "../traffic";
import type { RequestRow, RequestsView } from "../views";
import { pageOf, type Query } from "./pages";
import { switchedOn } from "./switched-on";

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
  const view: RequestsView = {
    kind: "requests",
    switchedOn: switchedOn(parts),
    requests: pageOf([...log.entries].reverse(), query("requests"), (entry) => requestRow(entry, traffic)),
  };
  return { view, nextAt: Infinity };
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
    client: seen?.client ?? "",
  };
}
