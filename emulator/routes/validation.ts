import { z } from "zod";
import { invalid, type ValidationProblem, wrong } from "../base/api-error";
import { readJson } from "../base/json-text";

/**
 * A body as the schema reads it, or 422 with one record for each problem. Records never repeat a value.
 *
 * @param fixed Fields that cannot change after creation.
 */
export function validated<T>(schema: z.ZodType<T>, value: unknown, fixed: readonly string[] = []): T {
  refuseFields(value, fixed);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map(problemOf));
}

function problemOf(issue: z.core.$ZodIssue): ValidationProblem {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  const problemAt = (msg: string, type: string): ValidationProblem => ({ loc: ["body", ...path], msg, type });
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return problemAt("Field required", "missing");
      return problemAt(...(TYPE_PROBLEMS[issue.expected] ?? ["Input is not of the right type", "type_error"]));
    case "invalid_value":
      return problemAt(
        `Input should be ${issue.values.map((value) => `'${String(value)}'`).join(", ")}`,
        "literal_error",
      );
    case "too_small":
      return issue.origin === "string"
        ? problemAt(`String should have at least ${issue.minimum} characters`, "string_too_short")
        : problemAt(`Input should be greater than or equal to ${issue.minimum}`, "greater_than_equal");
    case "too_big":
      return issue.origin === "string"
        ? problemAt(`String should have at most ${issue.maximum} characters`, "string_too_long")
        : problemAt(`Input should be less than or equal to ${issue.maximum}`, "less_than_equal");
    case "custom":
      return problemAt(issue.message, "value_error");
    default:
      return problemAt("Input is not valid", "value_error");
  }
}

const TYPE_PROBLEMS: Readonly<Record<string, readonly [msg: string, type: string]>> = {
  string: ["Input should be a valid string", "string_type"],
  boolean: ["Input should be a valid boolean", "bool_type"],
  number: ["Input should be a valid number", "float_type"],
  int: ["Input should be a valid integer", "int_type"],
  array: ["Input should be a valid list", "list_type"],
  object: ["Input should be a valid dictionary", "dict_type"],
  record: ["Input should be a valid dictionary", "dict_type"],
};

/** The body of a request as JSON, or 422 in the shape of a validation error. */
export function jsonBody(text: string, contentType: string | null): unknown {
  const bodyProblem = (msg: string, type: string) => wrong(["body"], msg, type);
  if (text === "") throw bodyProblem("Field required", "missing");
  if (!/^application\/([a-z.]+\+)?json\s*(;|$)/i.test(contentType ?? "")) {
    throw bodyProblem("Input should be a JSON document with Content-Type application/json", "json_type");
  }
  const { value, problem } = readJson(text);
  if (problem === undefined) return value;
  throw bodyProblem(problem === "too deep" ? "JSON is nested too deeply" : "JSON decode error", "json_invalid");
}

/** A whole number in the query, within bounds. Query values are strings: a text answers int_parsing. */
export function queryInt(text: string | undefined, name: string, min: number, max: number, fallback: number): number {
  if (text === undefined) return fallback;
  const problem = (msg: string, type: string) => wrong(["query", name], msg, type);
  if (!/^-?\d+$/.test(text)) throw problem("Input should be a valid integer", "int_parsing");
  const value = Number(text);
  if (value < min) throw problem(`Input should be greater than or equal to ${min}`, "greater_than_equal");
  if (value > max) throw problem(`Input should be less than or equal to ${max}`, "less_than_equal");
  return value;
}

/** "true" or "false" in the query; undefined unless it is there. */
export function queryBoolean(text: string | undefined, name: string): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === "true" || text === "false") return text === "true";
  throw wrong(["query", name], "Input should be a valid boolean", "bool_parsing");
}

/** Refuses fields that cannot change after creation. null counts as not sent, because clients with optional fields send it. */
export function refuseFields(value: unknown, names: readonly string[], prefix: readonly string[] = []): void {
  const { data: fields = {} } = z.record(z.string(), z.unknown()).safeParse(value);
  const refused = names.filter((name) => (fields[name] ?? null) !== null);
  if (refused.length === 0) return;
  const [msg, type] = ["This field cannot be changed after creation", "extra_forbidden"];
  throw invalid(refused.map((name) => ({ loc: ["body", ...prefix, name], msg, type })));
}
