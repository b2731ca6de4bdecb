import { z } from "zod";
import { isObject, isShownInteger, isUnsafe, UNKNOWN, type Json, type JsonObject } from "../../base/json";
import { showPath, type FieldRules, type Problem } from "./fields";
import { inputRows, type Check, type Fields, type NameRule, type ObjectShape, type Shape } from "./table";

export type { Problem };

/** The inputs of a resource: a schema that accepts unknown values at every node, and the names of its properties. */
export interface InputsSchema<Inputs> {
  readonly schema: z.ZodType<Inputs>;
  readonly properties: readonly string[];
}

/** What follows from the table of a resource. */
export interface FromTable<Inputs> {
  readonly kind: string;
  readonly inputs: InputsSchema<Inputs>;
  /** The rules of the diff. */
  readonly fields: FieldRules;
}

/** The problems of inputs that the schema accepts and the platform refuses. */
export type ExpectedRefusals = (inputs: JsonObject) => Problem[];

/** The schema of a resource's inputs: the rows of its table and no others. `rules` run even if a property is wrong. */
export function inputsSchema<Inputs>(fields: Fields, rules?: ObjectShape["rules"]): InputsSchema<Inputs> {
  const schema = z.custom<Inputs>().superRefine(checkedBy(schemaOf({ kind: "object", fields, rules })));
  return { schema, properties: inputRows(fields).map(([name]) => name) };
}

/**
 * The schema of a shape, which accepts a value that is not known yet at every node. Refinements on an object run even if one of its
 * fields is wrong (all problems at once): they must not trust the types of the fields.
 */
function schemaOf(shape: Shape): z.ZodType {
  return shape.kind === "map" && shape.names !== undefined
    ? namedEntries(shape.of, shape.names)
    : orUnknown(knownSchemaOf(shape));
}

function orUnknown(schema: z.ZodType): z.ZodType {
  const check = checkedBy(schema);
  return z.custom().superRefine((value: unknown, context) => {
    if (value !== UNKNOWN) check(value, context);
  });
}

/** Reports issues without ending the parse, so that all problems are reported at once. */
const checkedBy =
  (schema: z.ZodType) =>
  (value: unknown, context: z.RefinementCtx): void => {
    const { error } = schema.safeParse(value, { error: explain });
    for (const { path, message } of error?.issues ?? [])
      context.addIssue({ code: "custom", path, message, continue: true });
  };

function knownSchemaOf(shape: Shape): z.ZodType {
  switch (shape.kind) {
    case "text":
      return textSchema(shape);
    case "number":
      return z.number().superRefine(refinedBy([...shape.checks, (given) => (isUnsafe(given) ? ROUNDED : undefined)]));
    case "flag":
      return z.boolean();
    case "json":
      return z.json().superRefine((given, context) => {
        for (const path of unsafeIn(given))
          context.addIssue({ code: "custom", path, message: `${ROUNDED}: give it as text` });
      });
    case "flagOr":
      return flagOr(shape.choices);
    case "choice":
      return z.enum([...shape.choices]);
    case "nullable":
      return schemaOf(shape.of).nullable();
    case "list":
      return listSchema(shape);
    case "map":
      return z.record(z.string(), schemaOf(shape.of));
    case "object":
      return objectSchema(shape);
  }
}

const ROUNDED = "must not be a whole number beyond 2^53, which is rounded on its way here";

/** The paths of whole numbers that were rounded. */
function unsafeIn(value: Json | undefined): (string | number)[][] {
  if (isUnsafe(value) || isShownInteger(value)) return [[]];
  const below: [string | number, Json | undefined][] = Array.isArray(value)
    ? value.map((each, index) => [index, each])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return below.flatMap(([step, each]) => unsafeIn(each).map((path) => [step, ...path]));
}

const refinedBy =
  <T>(checks: readonly Check<T>[]) =>
  (value: T, context: z.RefinementCtx): void => {
    for (const check of checks) {
      const message = check(value);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    }
  };

function flagOr(choices: Extract<Shape, { kind: "flagOr" }>["choices"]): z.ZodType {
  const isId = choices === "an id";
  const words = isId ? "the id of the object to take over" : choices.map((each) => JSON.stringify(each)).join(" or ");
  const isText = (given: string): boolean => (isId ? given !== "" : choices.includes(given));
  const takes = (given: unknown): boolean => typeof given === "boolean" || (typeof given === "string" && isText(given));
  return z.custom(takes, `must be true, false or ${words}`);
}

function textSchema({ isNeverEmpty, most, ifNull, ifAbsent, checks }: Extract<Shape, { kind: "text" }>): z.ZodType {
  const error = ({ input }: { readonly input?: unknown }): string | undefined =>
    input === null ? ifNull : input === undefined ? ifAbsent : undefined;
  const text = z.string({ error });
  const whole = isNeverEmpty ? text.min(1, "must not be empty") : text;
  const limited = most === undefined ? whole : whole.max(most, `must be at most ${most} characters`);
  return limited.superRefine(refinedBy(checks));
}

function listSchema({ of, empty, most }: Extract<Shape, { kind: "list" }>): z.ZodType {
  const array = z.array(schemaOf(of));
  const whole = empty === undefined ? array : array.min(1, empty);
  return most === undefined ? whole : whole.max(most, `must have at most ${most} entries`);
}

function objectSchema({ fields, rules }: ObjectShape): z.ZodType {
  const shape = inputRows(fields).map(([name, { type, required }]) => {
    const schema = schemaOf(type);
    return [name, required ? schema : schema.optional()] as const;
  });
  const object = z.strictObject(Object.fromEntries(shape));
  return rules === undefined
    ? object
    : object.superRefine((value: unknown, context) => {
        for (const { path, reason } of isObject(value) ? rules(value) : []) {
          context.addIssue({ code: "custom", path: [...path], message: reason });
        }
      });
}

const PROTOTYPE_KEYS = new Set(["__proto__", "constructor", "prototype"]);

/** Entries whose names follow a rule. Names that would reach a prototype are refused. */
function namedEntries(of: Shape, { pattern, rule }: NameRule): z.ZodType {
  const record = checkedBy(orUnknown(z.record(z.string(), schemaOf(of))));
  // The names are taken from the map as given: a parsed record silently leaves __proto__ out.
  return z.custom().superRefine((map: unknown, context) => {
    for (const name of isObject(map) ? Object.keys(map) : []) {
      const reason = PROTOTYPE_KEYS.has(name)
        ? "is not allowed as a name"
        : pattern.test(name)
          ? undefined
          : `the name ${rule}`;
      if (reason) context.addIssue({ code: "custom", path: [name], message: reason });
    }
    record(map, context);
  });
}

/** Everything that is wrong with the arguments, at once. */
export function problemsOf(schema: z.ZodType, inputs: unknown): Problem[] {
  const result = schema.safeParse(inputs, { error: explain });
  return (result.error?.issues ?? []).map((issue) => ({
    path: issue.path.filter((step) => typeof step !== "symbol"),
    reason: issue.message,
  }));
}

/** `path: reason`, the form of a check failure. */
export function showProblem({ path, reason }: Problem): string {
  return path.length === 0 ? reason : `${showPath(path)}: ${reason}`;
}

// Names the expected and the given type, but never the value, which may be a secret.
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
