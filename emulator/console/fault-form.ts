import { z } from "zod";
import type { Fault, FaultKind, FaultPhase } from "../faults/fault";
import { faultKinds } from "../faults/options";
import { faultSchema } from "../faults/fault-schema";
import type { FormField } from "./pages/field";

/** Why somebody switches a fault on, in the order of the page. */
export const FAULT_GROUPS = [
  "Errors",
  "Slow answers",
  "Cut connections",
  "Answers that make no sense",
  "Old data and odd lists",
] as const;

interface FaultWords {
  readonly group: (typeof FAULT_GROUPS)[number];
  readonly name: string;
  readonly effect: string;
}
const words = (group: FaultWords["group"], name: string, effect: string): FaultWords => ({ group, name, effect });

/** What people call each kind, and what it does. */
export const FAULT_WORDS: Readonly<Record<FaultKind, FaultWords>> = {
  status: words("Errors", "Error status", "The platform or a gateway answers with another status."),
  html: words("Errors", "HTML page", "The answer is an HTML page, with status 200."),
  latency: words("Slow answers", "Delay", "The request is delayed."),
  hold: words("Slow answers", "Wait until released", "The request waits until you release it."),
  "slow-body": words("Slow answers", "Slow body", "The answer arrives slowly, in small pieces."),
  "endless-body": words("Slow answers", "Endless body", "The answer never ends."),
  "reset-before-commit": words(
    "Cut connections",
    "Cut before the write",
    "The connection is cut before anything is written.",
  ),
  "reset-after-commit": words(
    "Cut connections",
    "Cut after the write",
    "The connection is cut after everything is written.",
  ),
  "truncated-json": words(
    "Cut connections",
    "Cut in the answer",
    "The answer ends in the middle, and the client can tell.",
  ),
  "malformed-json": words(
    "Answers that make no sense",
    "Half an answer",
    "The answer ends in the middle as if it were complete.",
  ),
  "empty-body": words("Answers that make no sense", "Empty body", "The answer has no body."),
  "wrong-content-type": words(
    "Answers that make no sense",
    "Wrong content type",
    "The answer has the wrong content type.",
  ),
  "stale-read": words("Old data and odd lists", "Old data", "A GET shows data from before the last writes."),
  "duplicate-page": words("Old data and odd lists", "Page twice", "A list returns a page twice."),
  "stuck-offset": words("Old data and odd lists", "Stuck offset", "The offset of a list does not advance."),
  "short-page": words("Old data and odd lists", "Short pages", "Each page of a list is one item short."),
  "ignored-offset": words(
    "Old data and odd lists",
    "Ignored offset",
    "A list ignores the offset and always starts at the beginning.",
  ),
};

/** What people call a kind, within a sentence. */
export const faultName = (kind: string): string => {
  const known = Object.entries(FAULT_WORDS).find(([name]) => name === kind)?.[1].name ?? kind;
  return known.startsWith("HTML") ? known : known.charAt(0).toLowerCase() + known.slice(1);
};

/** When a fault strikes, by its phase. */
export const PHASE_WORDS: Readonly<Record<FaultPhase, string>> = {
  "before-route": "before it is carried out",
  "after-commit": "after it is carried out",
};

const LABELS: Readonly<Record<string, string>> = {
  method: "Method",
  path: "Path",
  nth: "From which request on",
  count: "How many requests",
  probability: "Probability",
  forMs: "For how long, in ms",
  ms: "Delay in ms",
  jitterMs: "Random further delay in ms",
  phase: "When",
  status: "Status",
  retryAfter: "Retry-After",
  echo: "Repeat the request's body",
  body: "Body",
  by: "How it is cut",
  after: "Bytes before the cut",
  everyMs: "Pause in ms",
  bytes: "Bytes at a time",
  contentType: "Content type",
  writes: "How many writes ago",
  agoMs: "How long ago, in ms",
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
      label: LABELS[name] ?? name,
      type: type === "boolean" ? "checkbox" : isNumber ? "number" : "text",
      ...(choices === undefined ? {} : { choices }),
      ...(name === "phase" ? { choiceWords: PHASE_WORDS } : {}),
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
