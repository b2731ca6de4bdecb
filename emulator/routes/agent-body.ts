import { z } from "zod";
import { ApiError } from "../base/api-error";
import { readJson } from "../base/json-text";
import { fields } from "../store/define-collection";

/** The body of a request to an agent, as the schema reads it; 422 with the first problem, as a text, as the agent server answers. */
export function agentBody<T>(schema: z.ZodType<T>, body: string): T {
  const { value, problem } = readJson(body);
  if (problem === "too deep") throw new ApiError(422, "JSON in request body is nested too deeply");
  if (problem !== undefined) throw new ApiError(422, "Invalid JSON in request body");
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ApiError(422, `${["body", ...(issue?.path ?? [])].map(String).join(".")}: ${issue?.message ?? "invalid"}`);
}

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

const sorted = z.object({
  ...pageFields,
  sort_by: z.string().nullish(),
  sort_order: z.enum(["asc", "desc"]).nullish(),
  select: z.array(z.string()).nullish(),
});

/** Those by which it also orders what it has found, and leaves fields out. */
export const sortFields = (...keys: [string, ...string[]]) => ({ ...sorted.shape, sort_by: z.enum(keys).nullish() });

/** A page of what a search found. As on the Python server, the total says no more than whether there is another page. */
export function searchAnswer(
  found: readonly Readonly<Record<string, unknown>>[],
  { limit, offset, sort_by: key, sort_order: order, select }: z.output<typeof sorted>,
): Response {
  const textOf = ({ [key ?? ""]: value }: (typeof found)[number]): string => (typeof value === "string" ? value : "");
  const up = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
  const page = found
    .toSorted((one, other) => (order === "asc" ? up(textOf(one), textOf(other)) : up(textOf(other), textOf(one))))
    .slice(offset, offset + limit)
    .map((each) => Object.fromEntries(Object.entries(each).filter(([name]) => select?.includes(name) ?? true)));
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
