import { z } from "zod";
import { stringifyJson, UnsafeInteger } from "../../base/json";
import { endless } from "../../http/pages";
import type { Send } from "../../http/request";
import { segment } from "../../http/segment";
import { instantOf } from "../../base/time";

/** The log of a revision's build, or that of its start and of the agent itself. */
export type LogKind = "build" | "deploy";

export interface RevisionLogKey {
  readonly kind: LogKind;
  readonly deploymentId: string;
  readonly revisionId: string;
}

const anyText = (value: unknown): string =>
  typeof value === "string" ? value : value == null ? "" : stringifyJson(value);

const TextOrNumber = z
  .union([z.string(), z.number(), z.instanceof(UnsafeInteger)])
  .nullish()
  .catch(undefined);

/** An entry in an answer. It is an object; none of its fields is certain (docs/internals/platform.md, Logs of a revision). */
const LogEntryWire = z.looseObject({
  id: TextOrNumber,
  /** Text, or milliseconds since the epoch. */
  timestamp: TextOrNumber,
  level: z.string().nullish().catch(undefined),
  message: z.unknown().optional().transform(anyText),
});
const LogPage = z.object({
  logs: z.array(LogEntryWire),
  next_offset: TextOrNumber,
});

export interface RevisionLogEntry {
  /** Unique in its log. */
  readonly id: string;
  /** ISO 8601, or as the platform writes it; null where it does not say. */
  readonly timestamp: string | null;
  readonly level: string | null;
  /** May be several lines. */
  readonly message: string;
}

/** Entries of one request. */
const PAGE = 100;
/** A limit for logs that never end: a million entries. */
const MOST_PAGES = 10_000;

interface Wanted {
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly offset?: string | number | UnsafeInteger;
  /** ISO 8601 with a zone: no entry from before it. */
  readonly start_time?: string;
}

const pathOf = ({ kind, deploymentId, revisionId }: RevisionLogKey): string =>
  `/v1/projects/${segment(deploymentId)}/revisions/${segment(revisionId)}/${kind}_logs`;

/**
 * + The last entries of a log, oldest first (docs/internals/platform.md, Logs of a revision).
 * @param until For an error that must not be delayed: those of one brief request, which gives up then.
 */
export async function lastEntries(
  send: Send,
  log: RevisionLogKey,
  count: number,
  until?: number,
): Promise<RevisionLogEntry[]> {
  const entries: RevisionLogEntry[] = [];
  for await (const page of pages(send, log, { order: "desc", limit: Math.min(PAGE, count) }, until)) {
    for (const entry of page) entries.push(entry);
    if (entries.length >= count || until !== undefined) break;
  }
  // A platform may not know the limit.
  return entries.slice(0, count).reverse();
}

/** + The entries of a log from a time on, oldest first. @param since In milliseconds; undefined: from the beginning. */
export async function entriesSince(
  send: Send,
  log: RevisionLogKey,
  since: number | undefined,
): Promise<RevisionLogEntry[]> {
  const from = since === undefined ? {} : { start_time: new Date(since).toISOString() };
  const entries: RevisionLogEntry[] = [];
  for await (const page of pages(send, log, { order: "asc", limit: PAGE, ...from }))
    for (const entry of page) entries.push(entry);
  // A platform may not know the filter.
  return entries.filter(({ timestamp }) => (instantOf(timestamp) ?? Infinity) >= (since ?? -Infinity));
}

/** A growing log may always have a next offset, so a page that is empty or has nothing new ends it. */
async function* pages(
  send: Send,
  log: RevisionLogKey,
  wanted: Wanted,
  until?: number,
): AsyncGenerator<RevisionLogEntry[]> {
  const seen = new Set<string>();
  let offset: Wanted["offset"];
  let asked = 0;
  do {
    if (asked++ === MOST_PAGES) throw endless("POST", pathOf(log), MOST_PAGES);
    const body: Wanted = { ...wanted, ...(offset !== undefined && { offset }) };
    const effort = until === undefined ? undefined : "once";
    const { data } = await send({ method: "POST", path: pathOf(log), body, isRead: true, effort }, LogPage, until);
    const fresh = data.logs.map(entryOf).filter(({ id }) => !seen.has(id) && seen.add(id));
    if (fresh.length === 0) return;
    yield fresh;
    offset = data.next_offset ?? undefined;
  } while (offset !== undefined);
}

function entryOf({ id, timestamp: at, level, message }: z.infer<typeof LogEntryWire>): RevisionLogEntry {
  const timestamp = typeof at === "number" ? timeOf(at) : at == null ? null : String(at);
  // If the platform gives no id, time and text are all that identifies an entry.
  return { id: String(id ?? `${timestamp} ${message}`), timestamp, level: level ?? null, message };
}

/** Milliseconds as ISO 8601; as they are if no date has them. */
function timeOf(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}
