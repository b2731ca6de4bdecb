import { z } from "zod";

/** A JSON object. */
export const Fields = z.record(z.string(), z.unknown());
export type Fields = z.infer<typeof Fields>;

/** An error of the server: its status and its `detail`, null for the plain text of a 500. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly detail: string | null,
  ) {
    super(detail ?? "Internal Server Error");
  }
}

const text = z.string().optional();
const fields = Fields.optional();
const enabled = z.boolean().optional();
const ifExists = z.enum(["raise", "do_nothing"]).optional();
const config = z.looseObject({ recursion_limit: z.int().optional(), configurable: fields }).optional();
const page = {
  metadata: fields,
  limit: z.int().min(1).max(1000).default(10),
  offset: z.int().min(0).default(0),
};
const assistant = { metadata: fields, context: fields, config, name: text };
const cron = {
  metadata: fields,
  context: fields,
  config,
  schedule: text,
  timezone: text,
  input: Fields.or(z.array(Fields)).optional(),
  webhook: text,
  on_run_completed: z.enum(["delete", "keep"]).optional(),
  enabled,
};

/** The bodies that the server checks, as far as it was asked. */
export const BODIES = {
  newAssistant: z.looseObject({
    ...assistant,
    graph_id: z.string(),
    assistant_id: text,
    description: z.string().nullish(),
    if_exists: ifExists,
  }),
  assistant: z.looseObject({ ...assistant, graph_id: text, description: text }),
  assistants: z.looseObject({ ...page, graph_id: text, name: text }),
  newCron: z.looseObject({ ...cron, assistant_id: text, end_time: text }),
  cron: z.looseObject({ ...cron, end_time: z.string().nullish() }),
  crons: z.looseObject({ ...page, assistant_id: text, thread_id: text, enabled }),
  thread: z.looseObject({ thread_id: text, metadata: fields, if_exists: ifExists }),
};

/** The body without what the server takes out. Throws 422, in words of its own where a field is not what it has to be. */
export function parsed<T>(body: string, schema: z.ZodType<T>): T {
  const read = schema.safeParse(withoutReserved(json(body)));
  if (!read.success) throw new Refusal(422, `Failed validating: ${read.error.message}`);
  return read.data;
}

/** Metadata under these names is the server's own. */
const RESERVED = ["thread_id", "assistant_id", "run_id", "cron_id"];

function withoutReserved(body: unknown): unknown {
  const { success, data } = z.looseObject({ metadata: fields, config: z.unknown().optional() }).safeParse(body);
  if (!success) return body;
  const { metadata, config: settings, ...rest } = data;
  const own = Object.entries(metadata ?? {}).filter(([name]) => !RESERVED.includes(name));
  return {
    ...rest,
    ...(metadata !== undefined && { metadata: Object.fromEntries(own) }),
    ...(settings !== undefined && { config: withoutReserved(settings) }),
  };
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(422, "Invalid JSON in request body");
  }
}
