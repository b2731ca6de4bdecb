import type { LogEntry } from "../base/log-entry";

// An allowlist: a secret can turn up under any other name, even in a malformed request.
const HARMLESS_FIELDS = new Set([
  "name",
  "source",
  "provider_id",
  "token_endpoint_auth_method",
  "code_challenge_method",
  "uses_pkce",
  "image",
  "image_uri",
  "repo_ref",
  "cpu",
  "memory",
  "storage",
  "min_scale",
  "max_scale",
  "memory_mb",
  "volume_name",
  "mount_path",
  "deployment_type",
  "build_on_push",
  "enabled",
  "assistant_id",
  "stream_mode",
  "stream_subgraphs",
]);
const HARMLESS_QUERY = new Set([
  "limit",
  "offset",
  "name_contains",
  "name",
  "status",
  "deployment_type",
  "image_version",
  "deployment_ids",
  "remote_reconciled",
  "delete_tracing_project",
]);

/** A body as the log keeps it. */
export function redacted(value: unknown, field = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => redacted(item));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redacted(item, key)]));
  }
  if (value === null || HARMLESS_FIELDS.has(field)) return value;
  return `<${typeof value}>`;
}

/** A query as the log keeps it; the values of a name that is repeated, separated by commas. */
function redactedQuery(query: URLSearchParams): Record<string, string> {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => [name, HARMLESS_QUERY.has(name) ? query.getAll(name).join(",") : "<string>"]),
  );
}

/** The requests in order of arrival; beyond the limit the oldest are dropped. */
export class RequestLog {
  readonly entries: LogEntry[] = [];
  private seq = 0;

  constructor(private readonly limit = 100_000) {}

  add(at: string, request: { method: string; url: URL; body: string }): LogEntry {
    this.seq += 1;
    const entry: LogEntry = {
      seq: this.seq,
      at,
      method: request.method,
      path: request.url.pathname,
      query: redactedQuery(request.url.searchParams),
      requestBody: bodyForLog(request.body),
      phase: "received",
      status: null,
      tenant: null,
      fault: null,
      faultPhase: null,
    };
    this.entries.push(entry);
    if (this.entries.length > this.limit) this.entries.shift();
    return entry;
  }

  clear(): void {
    this.entries.length = 0;
  }
}

function bodyForLog(body: string): unknown {
  if (body === "") return null;
  try {
    return redacted(JSON.parse(body));
  } catch {
    return "<not JSON>";
  }
}
