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

/** What a field has to be. "input" is the server's word for an object or a list. */
interface Rule {
  readonly type: "string" | "object" | "boolean" | "integer" | "input";
  readonly nullable?: true;
  readonly oneOf?: readonly [string, string];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly fields?: Rules;
}
type Rules = Readonly<Record<string, Rule>>;

const TEXT: Rule = { type: "string" };
const OBJECT: Rule = { type: "object" };
const COMMON: Rules = { metadata: OBJECT, context: OBJECT };
const PAGE: Rules = {
  metadata: OBJECT,
  limit: { type: "integer", minimum: 1, maximum: 1000 },
  offset: { type: "integer", minimum: 0 },
};
const CONFIG: Rules = { recursion_limit: { type: "integer" }, configurable: OBJECT };
const ASSISTANT: Rules = { ...COMMON, graph_id: TEXT, config: OBJECT, name: TEXT };
const CRON: Rules = {
  ...COMMON,
  schedule: TEXT,
  timezone: TEXT,
  input: { type: "input" },
  config: { ...OBJECT, fields: CONFIG },
  webhook: TEXT,
  on_run_completed: { ...TEXT, oneOf: ["delete", "keep"] },
  enabled: { type: "boolean" },
};

/** The bodies that the server checks, as far as it was asked. */
export const BODIES = {
  config: CONFIG,
  newAssistant: {
    ...ASSISTANT,
    assistant_id: TEXT,
    description: { ...TEXT, nullable: true },
    if_exists: { ...TEXT, oneOf: ["raise", "do_nothing"] },
  },
  assistant: { ...ASSISTANT, description: TEXT },
  version: { version: { type: "integer" } },
  versions: { metadata: OBJECT, limit: { type: "integer" }, offset: { type: "integer" } },
  assistants: { ...PAGE, graph_id: TEXT, name: TEXT },
  newCron: { ...CRON, assistant_id: TEXT, end_time: TEXT },
  cron: { ...CRON, end_time: { ...TEXT, nullable: true } },
  crons: { ...PAGE, assistant_id: TEXT, thread_id: TEXT, enabled: { type: "boolean" } },
  counted: { metadata: OBJECT, assistant_id: TEXT, thread_id: TEXT },
  thread: { thread_id: TEXT, metadata: OBJECT, if_exists: { ...TEXT, oneOf: ["raise", "do_nothing"] } },
} satisfies Readonly<Record<string, Rules>>;

/** The body as an object without what the server takes out. Throws 422 with the server's sentence. */
export function parsed(text: string, rules: Rules, required: readonly string[] = []): Fields {
  const body = Fields.safeParse(json(text));
  if (!body.success) throw wrong(json(text), 'is not of type "object"', "type", []);
  const missing = required.find((name) => !(name in body.data));
  if (missing !== undefined) throw wrong(body.data, "is a required property", "required", [], missing);
  checkBody(body.data, rules);
  const { config } = body.data;
  return withoutReserved({ ...body.data, ...(isFields(config) ? { config: withoutReserved(config) } : {}) });
}

/** Throws 422 for the first field that is not what it has to be. */
export function checkBody(body: Fields, rules: Rules, path: readonly string[] = []): void {
  for (const [name, rule] of Object.entries(rules)) {
    if (name in body) checkValue(body[name], rule, [...path, name]);
  }
}

function checkValue(value: unknown, rule: Rule, path: readonly string[]): void {
  if (rule.nullable === true && value === null) return;
  if (rule.type === "input") {
    if (isFields(value) || (Array.isArray(value) && value.every(isFields))) return;
    throw wrong(value, "is not valid under any of the schemas listed in the 'anyOf' keyword", "anyOf", path);
  }
  if (!isOf(rule.type, value)) {
    const kind = rule.nullable === true ? `types "null", "${rule.type}"` : `type "${rule.type}"`;
    throw wrong(value, `is not of ${kind}`, "type", path);
  }
  const { oneOf, minimum = -Infinity, maximum = Infinity } = rule;
  if (oneOf !== undefined && !oneOf.some((each) => each === value)) {
    throw wrong(value, `is not one of "${oneOf[0]}" or "${oneOf[1]}"`, "enum", path);
  }
  if (typeof value === "number" && value < minimum) {
    throw wrong(value, `is less than the minimum of ${minimum}`, "minimum", path);
  }
  if (typeof value === "number" && value > maximum) {
    throw wrong(value, `is greater than the maximum of ${maximum}`, "maximum", path);
  }
  if (rule.fields !== undefined && isFields(value)) checkBody(value, rule.fields, path);
}

function isOf(type: Rule["type"], value: unknown): boolean {
  if (type === "object") return isFields(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

const isFields = (value: unknown): value is Fields => Fields.safeParse(value).success;

/** Metadata under these names is the server's own. */
const RESERVED = ["thread_id", "assistant_id", "run_id", "cron_id"];

function withoutReserved(body: Fields): Fields {
  const { metadata } = body;
  if (!isFields(metadata)) return body;
  return {
    ...body,
    metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => !RESERVED.includes(name))),
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(422, "Invalid JSON in request body");
  }
}

/** @param named What the sentence begins with. @default the value */
function wrong(
  value: unknown,
  what: string,
  keyword: string,
  path: readonly string[],
  named: unknown = value,
): Refusal {
  const schema = path.map((name) => `["properties"]["${name}"]`).join("");
  const instance = path.map((name) => `["${name}"]`).join("");
  const failed = `Failed validating "${keyword}" in schema${schema}\n\nOn instance${instance}:`;
  return new Refusal(422, `${JSON.stringify(named)} ${what}\n\n${failed}\n    ${JSON.stringify(value)}`);
}
