import { readJson } from "../base/json-text";
import type { LogEntry } from "../base/exchange";

/** An allowlist: a secret can turn up under any other name, even in a malformed request. */
export const HARMLESS_FIELDS: ReadonlySet<string> = new Set(
  [
    "name source provider_id token_endpoint_auth_method code_challenge_method uses_pkce image image_uri",
    "repo_ref cpu memory storage min_scale max_scale memory_mb volume_name mount_path deployment_type",
    "build_on_push enabled assistant_id stream_mode stream_subgraphs",
  ].flatMap((line) => line.split(" ")),
);
const NO_FIELDS: ReadonlySet<string> = new Set();
const FREE_FIELDS =
  /headers$|^(env_vars|authorization_params|labels|annotations|input|context|configurable|metadata|value)$/;
const HARMLESS_QUERY = new Set(
  [
    "limit offset name_contains name status deployment_type image_version deployment_ids remote_reconciled",
    "delete_tracing_project",
  ].flatMap((line) => line.split(" ")),
);

/** A body as the log keeps it: the values of harmless fields, and only the shape of all others. */
export function redacted(value: unknown, field = "", harmless: ReadonlySet<string> = HARMLESS_FIELDS): unknown {
  // The client chooses the names inside: a header may be called "source".
  const inside = FREE_FIELDS.test(field) ? NO_FIELDS : harmless;
  if (Array.isArray(value)) return value.map((item) => redacted(item, "", inside));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redacted(item, key, inside)]));
  }
  if (value === null) return value;
  if (harmless.has(field)) return typeof value === "string" ? value.replace(/[^\s"'<>]+/g, withoutCredentials) : value;
  return `<${typeof value}>`;
}

/** An address without credentials, and without its query, which may be a signature. */
function withoutCredentials(word: string): string {
  const scheme = word.indexOf("://");
  if (scheme < 0) return word;
  const host = Math.max(word.lastIndexOf("@"), scheme + 2) + 1;
  const query = word.indexOf("?", host);
  const rest = query < 0 ? word.slice(host) : `${word.slice(host, query)}?<string>`;
  return `${word.slice(0, scheme + 3)}${host > scheme + 3 ? "<string>@" : ""}${rest}`;
}

/** A query as the log keeps it; the values of a name that is repeated, separated by commas. */
function redactedQuery(query: URLSearchParams): Record<string, string> {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => [name, HARMLESS_QUERY.has(name) ? query.getAll(name).join(",") : "<string>"]),
  );
}

/** The longest body that is kept; of a longer one, only its length. */
const LONGEST_BODY = 64 * 1024;
/** The same for a path, which a client can send even without a key. */
const LONGEST_PATH = 1024;
/** What an entry takes besides what clients sent. */
const ENTRY_SIZE = 160;

/** A text, or only its length if it is too long. Not its beginning, which may be half of a secret and could not be masked. */
const textOrLength = (text: string, most: number): string => (text.length > most ? lengthOf(text.length) : text);
const lengthOf = (characters: number): string => `<${characters} characters>`;

/** The approximate memory of a value, in bytes: a short text may contain so many empty objects that it takes more than a long one. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return 24 + value.length;
  if (typeof value !== "object" || value === null) return 8;
  return Object.entries(value).reduce((sum, [name, item]) => sum + 40 + name.length + sizeOf(item), 64);
}

/** The requests in order of arrival; beyond the limit the oldest are dropped. Counts what clients sent and is kept, in bytes. */
export class RequestLog {
  readonly entries: LogEntry[] = [];
  private seq = 0;
  private readonly sizes = new WeakMap<LogEntry, number>();
  size = 0;

  constructor(private readonly sizeLimit = 32 * 1024 * 1024) {}

  /** @param request `unread` is the length, in characters, of a body that nobody read. */
  add(at: string, request: { method: string; url: URL; body: string; unread?: number }): LogEntry {
    this.seq += 1;
    const { body, unread = 0 } = request;
    const entry: LogEntry = {
      seq: this.seq,
      at,
      method: request.method,
      path: textOrLength(request.url.pathname, LONGEST_PATH),
      query: redactedQuery(request.url.searchParams),
      requestBody: unread > 0 ? lengthOf(unread) : bodyForLog(body),
      phase: "received",
      status: null,
      tenant: null,
      fault: null,
      faultPhase: null,
    };
    this.entries.push(entry);
    const size = ENTRY_SIZE + request.url.href.length + sizeOf(entry.query) + sizeOf(entry.requestBody);
    this.sizes.set(entry, size);
    this.size += size;
    // The newest always stays.
    while (this.size > this.sizeLimit && this.entries.length > 1) this.drop(1);
    return entry;
  }

  clear(): void {
    this.drop(this.entries.length);
  }

  private drop(count: number): void {
    for (const entry of this.entries.splice(0, count)) this.size -= this.sizes.get(entry) ?? 0;
  }
}

function bodyForLog(body: string): unknown {
  if (body === "") return null;
  if (body.length > LONGEST_BODY) return lengthOf(body.length);
  const { value, problem } = readJson(body);
  if (problem === undefined) return redacted(value);
  return problem === "too deep" ? "<nested too deeply>" : "<not JSON>";
}
