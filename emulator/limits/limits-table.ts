/** The identity that a limit counts by: the API key, the user together with the IP address, or the IP address alone. */
export type IdentityKey = "x-api-key" | "x-user-id + IP" | "IP";

/** At most `count` requests per `seconds` seconds. */
export interface Rate {
  readonly count: number;
  readonly seconds: number;
}

/**
 * Matches a class of requests. The document does not say how its paths are compared. Here `at` matches that path and all below it, `is`
 * only that path, `contains` any part of the path, `ends` its end, and `{uuid}` stands for a UUID.
 */
export interface RequestPattern {
  /** @default every method */
  readonly method?: string;
  readonly at?: string;
  readonly is?: string;
  readonly contains?: string;
  readonly ends?: string;
}

/** One row of the limits table (docs/internals/platform.md, Limits). */
export interface LimitRow {
  /** A request that matches any of these is counted. */
  readonly match: readonly RequestPattern[];
  readonly identity: IdentityKey;
  readonly us: Rate;
  readonly eu: Rate;
  readonly category: string;
}

function rate(text: string): Rate {
  const [count, seconds] = text.split("/").map(Number);
  if (count === undefined || seconds === undefined) throw new Error(`"${text}" is not count/seconds.`);
  return { count, seconds };
}

function row(
  category: string,
  identity: IdentityKey,
  match: RequestPattern | readonly RequestPattern[],
  us: string,
  eu = us,
): LimitRow {
  return { match: "length" in match ? match : [match], identity, us: rate(us), eu: rate(eu), category };
}

const PREFLIGHT: readonly RequestPattern[] = [{ method: "OPTIONS" }, { at: "/info" }, { ends: "/v1/metadata/submit" }];
const DELETION: readonly RequestPattern[] = [
  { method: "DELETE", at: "/sessions" },
  { method: "DELETE", ends: "/trigger" },
];
const ONE_RUN: readonly RequestPattern[] = [
  { method: "GET", is: "/runs/{uuid}" },
  { method: "GET", is: "/api/v1/runs/{uuid}" },
];

/** The rows for certain requests, in the order of the platform's table (docs/internals/platform.md, Limits). */
export const SPECIFIC_ROWS: readonly LimitRow[] = [
  row("High throughput", "IP", PREFLIGHT, "2000/10"),
  row("High throughput", "x-api-key", { at: "/auth" }, "2000/10"),
  row("High throughput", "x-user-id + IP", { at: "/auth" }, "2000/10"),
  row("High throughput", "IP", { at: "/v1/beacon" }, "2000/10"),
  row("Repository", "x-api-key", { at: "/repos" }, "100/60"),
  row("Repository", "x-user-id + IP", { at: "/repos" }, "100/60"),
  row("High throughput", "x-api-key", { method: "POST", is: "/runs/batch" }, "2000/10"),
  row("Run ingest", "x-api-key", { method: "POST", is: "/otel/v1/traces" }, "2000/10"),
  row("Charts", "x-api-key", { method: "POST", contains: "/charts" }, "750/600"),
  row("Charts", "x-user-id + IP", { method: "POST", contains: "/charts" }, "750/600"),
  row("Multipart ingest", "x-api-key", { method: "POST", is: "/runs/multipart" }, "6000/10"),
  row("Run query (API)", "x-api-key", { method: "POST", is: "/runs/query" }, "15/10"),
  row("Run query (User)", "x-user-id + IP", { method: "POST", is: "/runs/query" }, "300/10"),
  row("Generation", "x-api-key", { at: "/generate" }, "30/3600"),
  row("Generation", "x-user-id + IP", { at: "/generate" }, "30/3600"),
  row("Commits", "x-api-key", { at: "/commits" }, "10000/60", "2000/60"),
  row("Commits", "x-user-id + IP", { at: "/commits" }, "10000/60", "2000/60"),
  row("Deletion", "x-api-key", DELETION, "10/60"),
  row("Deletion", "x-user-id + IP", DELETION, "30/60"),
  row("Run ingest", "x-api-key", { method: "POST", is: "/runs" }, "2000/10"),
  row("Run ingest", "x-api-key", { method: "PATCH", contains: "/runs" }, "2000/10"),
  row("High throughput", "x-api-key", { method: "POST", at: "/feedback" }, "2000/10"),
  row("Run lookup", "x-api-key", ONE_RUN, "30/60"),
  row("Examples", "x-api-key", { method: "GET", contains: "/examples" }, "5000/60"),
  row("Public download", "IP", { at: "/public/download" }, "5000/60"),
  row("Stats", "x-api-key", { is: "/runs/stats" }, "1/10", "20/10"),
];

/** The rows for all other requests: the one of the identity that the request has. */
export const FALLBACK_ROWS: readonly LimitRow[] = [
  row("Default (API key)", "x-api-key", {}, "1000/10"),
  row("Default (User)", "x-user-id + IP", {}, "1000/10"),
  row("Public (catch-all)", "IP", {}, "100/60"),
];
