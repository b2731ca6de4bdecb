import { z } from "zod";
import { showPath, type Path } from "./fields";
import { hasControlCharacter, urlProblem } from "../base/address";
import { isObject, UNKNOWN, type JsonObject } from "../base/json";
import { durationMs } from "../base/time";

/**
 * The schema, made to accept a value that is not known yet: wrap every node of an inputs schema in it. Refinements on an
 * object run although one of its fields is wrong (all problems at once): they must not trust the types of the fields.
 */
export function orUnknown<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.custom<T>().superRefine((value: unknown, context) => {
    if (value === UNKNOWN) return;
    addIssues(context, schema.safeParse(value, { error: explain }));
  });
}

/** Passes issues on without ending the parse: all problems are reported at once. */
function addIssues(context: z.RefinementCtx, result: { error?: z.ZodError }): void {
  for (const { path, message } of result.error?.issues ?? [])
    context.addIssue({ code: "custom", path, message, continue: true });
}

/** The schema of a resource's inputs: these properties and no others. `rules` run although a property is wrong; see {@link orUnknown}. */
export function inputsSchema<Shape extends z.core.$ZodShape>(shape: Shape, rules?: (inputs: JsonObject) => Problem[]) {
  const object = z.strictObject(shape).superRefine((inputs: unknown, context) => {
    for (const { path, reason } of isObject(inputs) ? (rules?.(inputs) ?? []) : []) {
      context.addIssue({ code: "custom", path: [...path], message: reason });
    }
  });
  return { schema: orUnknown(object), properties: Object.keys(shape) };
}

/** One thing wrong with an argument: where, and a reason that stands alone. Never holds the argument's value. */
export interface Problem {
  readonly path: Path;
  readonly reason: string;
}

/** Everything that is wrong with the arguments, at once. */
export function problemsOf(schema: z.ZodType, inputs: unknown): Problem[] {
  const result = schema.safeParse(inputs, { error: explain });
  return (result.error?.issues ?? []).map((issue) => ({
    path: issue.path.filter((step) => typeof step !== "symbol"),
    reason: issue.message,
  }));
}

/** `path: reason`, the form in which a check failure reads. */
export function showProblem({ path, reason }: Problem): string {
  return path.length === 0 ? reason : `${showPath(path)}: ${reason}`;
}

// Says what is expected and the type that came, but never the value: it may be a secret.
function explain(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? `is required (${article(issue.expected)})`
        : `must be ${article(issue.expected)}, not ${typeName(issue.input)}`;
    case "unrecognized_keys":
      return `has no property ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}; check the spelling (names are camelCase)`;
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "invalid_union":
      return `must be of another type, not ${typeName(issue.input)}`;
    default:
      return undefined;
  }
}

function article(type: string): string {
  const name = type === "record" ? "object" : type === "int" ? "whole number" : type;
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
}

function typeName(value: unknown): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (typeof value === "number" && !Number.isFinite(value)) return "NaN or infinite";
  return article(Array.isArray(value) ? "array" : typeof value);
}

/** Text of at least one character, without control characters. */
export const text = (maximum = 4096) =>
  orUnknown(
    z
      .string()
      .min(1, "must not be empty")
      .max(maximum, `must be at most ${maximum} characters`)
      .refine((value) => !hasControlCharacter(value), "must not contain control characters"),
  );

/** Text as {@link text}, but with the line breaks and tabs that a value (a PEM key, JSON) may hold. May be empty. */
export const value = (maximum = 65_536) =>
  orUnknown(
    z
      .string()
      .max(maximum, `must be at most ${maximum} characters`)
      .refine((value) => !value.includes("\0"), "must not contain NUL characters"),
  );

export const flag = () => orUnknown(z.boolean());

/** Whether to take over an object that exists: by its natural key (true), or by its id. */
export const adoption = () =>
  orUnknown(
    z.custom<boolean | string>(
      (given) => typeof given === "boolean" || (typeof given === "string" && given !== ""),
      "must be true, false or the id of the object to take over",
    ),
  );

/** A whole number of at least `minimum`. */
export const count = (minimum: number) =>
  orUnknown(
    z
      .number()
      .refine((value) => Number.isInteger(value) && value >= minimum, `must be a whole number of at least ${minimum}`),
  );

/** An absolute http(s) URL without credentials in it. */
export const url = () =>
  orUnknown(
    z
      .string()
      .max(4096, "must be at most 4096 characters")
      .superRefine((value, context) => {
        const reason = urlProblem(value);
        if (reason) context.addIssue({ code: "custom", message: reason });
      }),
  );

const PROTOTYPE_KEYS = new Set(["__proto__", "constructor", "prototype"]);

/** An object of named entries. Keys that would reach a prototype are refused. */
export function entries<T>(
  entry: z.ZodType<T>,
  key: { pattern: RegExp; rule: string } = { pattern: /[^]/, rule: "must not be empty" },
) {
  const record = orUnknown(z.record(z.string(), entry));
  // The names are taken from the map as given: a parsed record silently leaves __proto__ out.
  return z.custom<Record<string, T>>().superRefine((map: unknown, context) => {
    for (const name of isObject(map) ? Object.keys(map) : []) {
      const reason = PROTOTYPE_KEYS.has(name)
        ? "is not allowed as a name"
        : key.pattern.test(name)
          ? undefined
          : `the name ${key.rule}`;
      if (reason) context.addIssue({ code: "custom", path: [name], message: reason });
    }
    addIssues(context, record.safeParse(map, { error: explain }));
  });
}

/** A duration as text, in Pulumi's own form (customTimeouts). */
export const duration = () =>
  orUnknown(
    z.string().refine((value) => durationMs(value) !== undefined, 'must be a duration like "90s", "30m" or "1h30m"'),
  );
