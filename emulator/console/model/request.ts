import type { LogEntry } from "../../base/log-entry";
import { HARMLESS_FIELDS, redacted } from "../../server/request-log";
import type { KeptAnswer } from "../kept-answers";
import type { ShownPage } from "../live";
import type { ConsoleParts } from "../parts";
import type { RequestView } from "../views";
import { requestRow, type RequestParts } from "./requests";
import { switchedOn } from "./switched-on";

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

/** The page of one request. */
export function request(
  parts: ConsoleParts & RequestParts,
  entry: LogEntry,
): ShownPage & { readonly view: RequestView } {
  const seen = parts.traffic.of(entry);
  const view: RequestView = {
    kind: "request",
    switchedOn: switchedOn(parts),
    request: requestRow(entry, parts.traffic),
    query: Object.entries(entry.query).map(([parameter, value]) => ({ parameter, value })),
    phase: entry.phase,
    tenant: entry.tenant,
    body: entry.requestBody === null ? null : JSON.stringify(entry.requestBody, null, 2),
    answer: seen?.answer === undefined ? NOT_KEPT : answerText(entry, seen.ms, seen.answer()),
  };
  return { view, nextAt: Infinity };
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
