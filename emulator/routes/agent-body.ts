import { z } from "zod";
import { ApiError } from "../base/api-error";
import { readJson } from "../base/json-text";

/** The body of a request as JSON; 422 in the words of the agent server. */
function agentJson(body: string): unknown {
  const read = readJson(body);
  if ("value" in read) return read.value;
  const isDeep = read.problem === "too deep";
  throw new ApiError(422, isDeep ? "JSON in request body is nested too deeply" : "Invalid JSON in request body");
}

/**
 * The body of a request to an agent, as the schema reads it; 422 with the first problem, as a text, as the Python server answers.
 *
 * @param name The schema's, where the server's messages have it.
 */
export function agentBody<T>(schema: z.ZodType<T>, body: string, name?: string): T {
  const value = agentJson(body);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String) ?? [];
  const missing = issue?.input === undefined ? path.pop() : undefined;
  const instance = JSON.stringify(missing === undefined ? issue?.input : value);
  const [message, keyword] =
    missing === undefined ? problemOf(issue, instance) : [`"${missing}" is a required property`, "required"];
  const steps = path.map((step) => `["${step}"]`).join("");
  const at = (name === undefined ? "" : `["components"]["schemas"]["${name}"]`) + (steps && `["properties"]${steps}`);
  const failed = `Failed validating "${keyword}" in schema${at}`;
  throw new ApiError(422, `${message}\n\n${failed}\n\nOn instance${steps}:\n    ${instance}`);
}

/** The types whose names differ in JSON Schema. */
const TYPE_NAMES: Readonly<Record<string, string>> = { int: "integer", record: "object" };

/** The message of the Python server, and the keyword of JSON Schema that it names. */
function problemOf(issue: z.core.$ZodIssue | undefined, shown: string): readonly [message: string, keyword: string] {
  switch (issue?.code) {
    case "too_small":
      return [`${shown} is less than the minimum of ${issue.minimum}`, "minimum"];
    case "too_big":
      return [`${shown} is greater than the maximum of ${issue.maximum}`, "maximum"];
    case "invalid_value": {
      const [first, second, ...others] = issue.values.map((value) => JSON.stringify(value));
      const rest = others.length === 0 ? ` or ${second}` : `, ${second} or ${others.length} other candidates`;
      return [`${shown} is not one of ${first}${rest}`, "enum"];
    }
    case "invalid_type":
      return [`${shown} is not of type "${TYPE_NAMES[issue.expected] ?? issue.expected}"`, "type"];
    default:
      return [`${shown} is not valid under any of the schemas listed in the 'anyOf' keyword`, "anyOf"];
  }
}

/** A JSON object. */
export const fields = z.record(z.string(), z.unknown());

/** Metadata under these names is the server's own. */
const RESERVED = ["thread_id", "assistant_id", "run_id", "cron_id"];
const metadata = fields.transform((given) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !RESERVED.includes(name))),
);

/** What the body of an assistant and that of a cron have in common. */
export const keptFields = {
  metadata: metadata.optional(),
  context: fields.optional(),
  config: z
    .looseObject({
      recursion_limit: z.int().optional(),
      configurable: fields.optional(),
      metadata: metadata.optional(),
    })
    .optional(),
};

/** The fields by which every search pages. */
export const pageFields = {
  limit: z.int().min(1).max(1000).default(10),
  offset: z.int().min(0).default(0),
};

/** A page of what a search found. As on the Python server, the total says no more than whether there is another page. */
export function searchAnswer(
  found: readonly unknown[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Response {
  const page = found.slice(offset, offset + limit);
  const next = offset + limit;
  const headers: Record<string, string> =
    next < found.length
      ? { "x-pagination-total": String(next + 1), "x-pagination-next": String(next) }
      : { "x-pagination-total": String(offset + page.length) };
  return Response.json(page, { headers });
}

/** Whether a JSON value contains the wanted one: an object its keys, an array its items; any other value must be equal. */
export function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  if (typeof value !== "object" || value === null || Array.isArray(value) !== Array.isArray(wanted)) return false;
  if (Array.isArray(wanted)) {
    return wanted.every((item) => Object.values(value).some((candidate) => contains(candidate, item)));
  }
  const held = new Map<string, unknown>(Object.entries(value));
  return Object.entries(wanted).every(([name, item]) => held.has(name) && contains(held.get(name), item));
}
