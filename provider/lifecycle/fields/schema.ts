import { SIGNATURE } from "../../base/engine-format";
import { isObject, isShownInteger, isUnsafe, UNKNOWN, type Json, type JsonObject } from "../../base/json";
import { stepsIn, type Problem } from "./fields";
import { inputRows, isFilledIn, type NameRule, type ObjectShape, type Shape, type Table } from "./table";

/** The problems of inputs that the schema accepts and the platform refuses. */
export type ExpectedRefusals = (inputs: JsonObject) => Iterable<Problem>;

/** Everything that is wrong with a resource's inputs, at once. They have the rows of its table and no others. */
export const problemsOfInputs = ({ fields, rules }: Table, inputs: JsonObject): Problem[] =>
  problemsOf({ kind: "object", fields, rules }, inputs);

/** Everything that is wrong with a value, at once. A value that is not known yet is accepted at every node. */
export function problemsOf(shape: Shape, value: Json | undefined): Problem[] {
  if (value === UNKNOWN) return [];
  switch (shape.kind) {
    case "text":
      return typeof value === "string" ? here(...reasonsAgainstText(shape, value)) : here(notText(shape, value));
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return here(isNo("number", value));
      return here(...shape.checks.map((check) => check(value)), isUnsafe(value) && ROUNDED);
    case "flag":
      return here(typeof value !== "boolean" && isNo("boolean", value));
    case "json":
      return problemsOfJson(value);
    case "flagOr":
      return here(!takesFlagOr(shape, value) && `must be true, false or ${wordsOf(shape)}`);
    case "choice":
      return here(
        !shape.choices.some((each) => each === value) && `must be one of ${quoted(shape.choices).join(", ")}`,
      );
    case "nullable":
      return value === null ? [] : problemsOf(shape.of, value);
    case "list":
      if (!Array.isArray(value)) return here(isNo("array", value));
      return [
        ...inside(value, shape.of),
        ...here(value.length === 0 && shape.empty),
        ...here(shape.most !== undefined && value.length > shape.most && `must have at most ${shape.most} entries`),
      ];
    case "map":
      if (!isObject(value)) return here(isNo("object", value));
      return [...(shape.names ? wrongNames(value, shape.names) : []), ...inside(value, shape.of)];
    case "object":
      return isObject(value) ? problemsOfObject(shape, value) : here(isNo("object", value));
  }
}

type ShapeOf<Kind> = Extract<Shape, { kind: Kind }>;

/** The reasons that there are, as problems of the value itself. */
const here = (...reasons: readonly (string | false | undefined)[]): Problem[] =>
  reasons.flatMap((reason) => (reason ? [{ path: [], reason }] : []));

/** The same problems, seen from one level above. */
const below = (step: string | number, problems: readonly Problem[]): Problem[] =>
  problems.map(({ path, reason }) => ({ path: [step, ...path], reason }));

const inside = (value: Json, of: Shape): Problem[] =>
  stepsIn(value).flatMap(([step, each]) => below(step, problemsOf(of, each)));

function reasonsAgainstText({ isNeverEmpty, most = Infinity, checks }: ShapeOf<"text">, value: string) {
  return [
    isNeverEmpty && value === "" && "must not be empty",
    value.length > most && Array.from(value).length > most && `must be at most ${most} characters`,
    ...checks.map((check) => check(value)),
  ];
}

function notText(shape: ShapeOf<"text">, value: Json | undefined): string {
  const own = value === null ? shape.ifNull : value === undefined ? shape.ifAbsent : undefined;
  if (own !== undefined || (typeof value !== "number" && typeof value !== "boolean"))
    return own ?? isNo("string", value);
  // If quotes alone do not make the text valid, its own rule has the better message.
  const wrong = reasonsAgainstText(shape, String(value)).find((reason) => Boolean(reason));
  return `${isNo("string", value)}: ${wrong || "write it in quotes"}`;
}

const ROUNDED = "must not be a whole number beyond 2^53, which is rounded on its way here";

const NO_FILE = "must not be an asset or an archive: give the text of the file (in YAML by fn::readFile)";

function problemsOfJson(value: Json | undefined): Problem[] {
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value)))
    return here(`must be of another type, not ${typeName(value)}`);
  if (isUnsafe(value) || isShownInteger(value)) return here(`${ROUNDED}: give it as text`);
  if (isObject(value) && SIGNATURE in value) return here(NO_FILE);
  return stepsIn(value).flatMap(([step, each]) => below(step, problemsOfJson(each)));
}

function takesFlagOr({ choices }: ShapeOf<"flagOr">, value: Json | undefined): boolean {
  if (typeof value !== "string") return typeof value === "boolean";
  return choices === "an id" ? value !== "" : choices.includes(value);
}

const wordsOf = ({ choices }: ShapeOf<"flagOr">): string =>
  choices === "an id" ? "the id of the object to take over" : quoted(choices).join(" or ");

const quoted = (texts: readonly string[]): string[] => texts.map((text) => JSON.stringify(text));

function problemsOfObject({ fields, rules }: ObjectShape, value: JsonObject): Problem[] {
  const rows = inputRows(fields);
  const wrong = rows.flatMap(([name, row]) => {
    const isGiven = value[name] !== undefined;
    if (isFilledIn(row, value))
      return isGiven
        ? below(name, here(`must not be given with ${row.unlessGiven ?? ""}: leave one of the two out`))
        : [];
    return row.required || isGiven ? below(name, problemsOf(row.type, value[name])) : [];
  });
  const names = new Set(rows.map(([name]) => name));
  const strange = Object.keys(value).filter((name) => !names.has(name));
  const reason = `has no property ${quoted(strange).join(", ")}; check the spelling (names are written like imageUri, in Python like image_uri)`;
  // The rules run even if a field is wrong, so they must not trust the types of the fields.
  return [...wrong, ...here(strange.length > 0 && reason), ...(rules?.(value) ?? [])];
}

const PROTOTYPE_KEYS = ["__proto__", "constructor", "prototype"];

/** Names that would reach a prototype are refused, whatever the rule. */
const wrongNames = (map: JsonObject, { pattern, rule }: NameRule): Problem[] =>
  Object.keys(map).flatMap((name) => {
    const isRefused = PROTOTYPE_KEYS.includes(name);
    return below(name, here(isRefused ? "is not allowed as a name" : !pattern.test(name) && `the name ${rule}`));
  });

/** Names the expected and the given type, but never the value, which may be a secret. */
const isNo = (type: string, value: Json | undefined): string =>
  value === undefined ? `is required (${article(type)})` : `must be ${article(type)}, not ${typeName(value)}`;

const article = (type: string): string => `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;

function typeName(value: Json | undefined): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (typeof value === "number" && !Number.isFinite(value)) return "NaN or infinite";
  return article(Array.isArray(value) ? "array" : typeof value);
}
