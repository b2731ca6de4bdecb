import { z } from "zod";
import type { Fault, FaultKind } from "../faults/fault";
import { faultKinds } from "../faults/fault-kinds";
import { faultSchema } from "../faults/fault-schema";
import type { FormField } from "./pages/field";

/** What each kind does, in a line. */
export const FAULT_EFFECTS: Readonly<Record<FaultKind, string>> = {
  latency: "The request is delayed.",
  status: "The platform or a gateway answers with another status.",
  "reset-before-commit": "The connection is cut before anything is written.",
  "reset-after-commit": "The connection is cut after everything is written.",
  hold: "The request waits until you release it.",
  "truncated-json": "The answer ends in the middle, and the client can tell.",
  "malformed-json": "The answer ends in the middle as if it were complete.",
  html: "The answer is an HTML page, with status 200.",
  "empty-body": "The answer has no body.",
  "endless-body": "The answer never ends.",
  "slow-body": "The answer arrives slowly, in small pieces.",
  "wrong-content-type": "The answer has the wrong content type.",
  "stale-read": "A GET shows data from before the last writes.",
  "duplicate-page": "A list returns a page twice.",
  "stuck-offset": "The offset of a list does not advance.",
  "short-page": "Each page of a list is one item short.",
  "ignored-offset": "A list ignores the offset and always starts at the beginning.",
};

const property = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  anyOf: z.array(z.unknown()).optional(),
});
const alternative = z.object({ properties: z.record(z.string(), property) });
const described = z.object({ oneOf: z.array(alternative) });

/** The fields of every kind, as the schema has them. */
const PROPERTIES: ReadonlyMap<string, Readonly<Record<string, z.infer<typeof property>>>> = new Map(
  described
    .parse(z.toJSONSchema(faultSchema, { io: "input", unrepresentable: "any" }))
    .oneOf.map(({ properties }, index) => [faultKinds[index] ?? "", properties]),
);

const HINTS: Readonly<Record<string, string>> = {
  method: "GET, POST, PATCH, DELETE, or * for all",
  path: "* for a part between slashes, ** for any rest",
  nth: "the first request to strike, counted from 1",
  count: "how many requests to strike; empty: no limit",
  probability: "probability per request, more than 0 and at most 1",
  forMs: "milliseconds from the first strike on",
  retryAfter: "seconds, or any text",
  echo: "repeats the body of the request",
  after: "bytes that are sent",
};

/** Fields whose order is the same for all kinds: which requests it strikes. */
const WHICH = ["method", "path", "nth", "count", "probability", "forMs"];

/** The fields of a form for one kind, with what was entered and why it was refused. */
export function faultFields(
  kind: FaultKind,
  entered: ReadonlyMap<string, string>,
  problems: ReadonlyMap<string, string>,
): { readonly effect: readonly FormField[]; readonly which: readonly FormField[] } {
  const properties = PROPERTIES.get(kind) ?? {};
  const fieldOf = (name: string): FormField => {
    const { type, enum: choices, default: preset } = properties[name] ?? {};
    const isNumber = type === "number" || type === "integer";
    return {
      name,
      label: name,
      type: type === "boolean" ? "checkbox" : isNumber ? "number" : "text",
      ...(choices === undefined ? {} : { choices }),
      value: entered.get(name) ?? (entered.size > 0 || preset === undefined ? "" : String(preset)),
      hint: HINTS[name],
      problem: problems.get(name),
    };
  };
  const own = Object.keys(properties).filter((name) => name !== "kind" && !WHICH.includes(name));
  return { effect: own.map(fieldOf), which: WHICH.map(fieldOf) };
}

/** A fault as a form sends it; or what is wrong, by field, "" for the whole. */
export function readFaultForm(
  kind: string,
  entered: ReadonlyMap<string, string>,
): { readonly fault: Fault } | { readonly problems: ReadonlyMap<string, string> } {
  const properties = PROPERTIES.get(kind) ?? {};
  const given = Object.entries(properties).flatMap(([name, { type, anyOf }]): [string, unknown][] => {
    const text = entered.get(name)?.trim() ?? "";
    if (name === "kind" || text === "") return [];
    if (type === "boolean") return [[name, text === "on"]];
    const mayBeNumber = type === "number" || type === "integer" || anyOf !== undefined;
    return [[name, mayBeNumber && Number.isFinite(Number(text)) ? Number(text) : text]];
  });
  const parsed = faultSchema.safeParse({ kind, ...Object.fromEntries(given) });
  if (parsed.success) return { fault: parsed.data };
  const problems = parsed.error.issues.map(({ path, message }): [string, string] => [String(path[0] ?? ""), message]);
  return { problems: new Map(problems.reverse()) };
}
