import { ruleAt, type FieldRule } from "../../../provider/lifecycle/fields/fields";
import { listed } from "../../../provider/resources/deployment/sources";
import { linked } from "../markdown";
import {
  argumentRows,
  type Field,
  type Fields,
  type Shape,
  type Table,
} from "../../../provider/lifecycle/fields/table";

/** A field with the rule that holds for it: its own, else that of the object around it. */
export interface Place {
  /** `sourceConfig.resourceSpec`; an item of a list is `[]`. */
  readonly path: string;
  readonly field: Field;
  readonly rule: FieldRule;
}

/** Every argument that an author can give, also inside objects, in the order of the table. */
export function argumentsOf({ fields, fieldRules }: Table): Place[] {
  const below = (within: Fields, above: string): Place[] =>
    argumentRows(within).flatMap(([name, field]) => {
      const path = above + name;
      const steps = path.replaceAll("[]", "").split(".");
      const [inner, mark] = fieldsIn(field.type);
      return [{ path, field, rule: ruleAt(fieldRules, steps) }, ...below(inner, `${path}${mark}.`)];
    });
  return below(fields, "");
}

/** The fields of an object, or of the objects in a list or a map, and how a path shows that. */
function fieldsIn(shape: Shape): readonly [Fields, string] {
  switch (shape.kind) {
    case "object":
      return [shape.fields, ""];
    case "list":
      return [fieldsIn(shape.of)[0], "[]"];
    case "map":
      return [fieldsIn(shape.of)[0], ".*"];
    case "nullable":
      return fieldsIn(shape.of);
    default:
      return [{}, ""];
  }
}

/** How a path shows that the fields are those of the objects in a list or a map: `[]`, `.*`. */
export const fieldsMark = (shape: Shape): string => fieldsIn(shape)[1];

export function typeWords(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return "text";
    case "number":
      return "number";
    case "flag":
      return "true or false";
    case "flagOr":
      return `true, false or ${shape.choices === "an id" ? shape.choices : choicesIn(shape.choices)}`;
    case "json":
      return "any value";
    case "choice":
      return choicesIn(shape.choices);
    case "nullable":
      return typeWords(shape.of);
    case "list":
      return `list of ${several(shape.of)}`;
    case "map":
      return `map of ${several(shape.of)}`;
    case "object":
      return "object";
  }
}

/** The same for an answer, which may be null. */
const answerWords = (shape: Shape): string => typeWords(shape) + (shape.kind === "nullable" ? " or null" : "");

export const choicesIn = (choices: readonly string[]): string =>
  listed(
    choices.map((each) => `\`"${each}"\``),
    "or",
  );

const several = (shape: Shape): string => {
  const one = typeWords(shape);
  return { text: "texts", number: "numbers", object: "objects", "any value": "any values" }[one] ?? one;
};

/** The default in words; undefined if there is none. */
export function defaultWords({ default: value, defaultText }: Field): string | undefined {
  if (defaultText !== undefined) return defaultText;
  return value === undefined ? undefined : `\`${JSON.stringify(value)}\``;
}

/** A description, and its default in words, if there is one. */
export const describedWithDefault = (text: string, otherwise: string | undefined): string =>
  otherwise === undefined ? linked(text) : `${linked(text)} Default: ${otherwise}.`;

export const argumentCells = (name: string, field: Field): string[] => [
  `\`${name}\``,
  typeWords(field.type) + (field.required ? ", required" : ""),
  describedWithDefault(field.description, defaultWords(field)),
];

export const outputCells = (name: string, { type, description }: Field): string[] => [
  `\`${name}\``,
  answerWords(type),
  linked(description),
];

/** What `up` does about a changed value: goes on after "A change". */
export function changeWords(table: Table, { path, field, rule }: Place): string {
  const isFixed = (field.providerOnly ?? rule.providerOnly) !== undefined;
  if (path === "redeployTrigger") return "makes a new revision";
  if (isFixed) return "sends nothing";
  const change = rule.replaceOn === "always" ? "replaces the resource" : inPlace(table, rule);
  // What a removal of `extra` does is on the first page of the reference.
  return path === "extra" ? change : change + removal(rule, field);
}

function inPlace(table: Table, rule: FieldRule): string {
  if (table.acts !== undefined) return "starts it over";
  const makesRevisions = Object.values(table.fieldRules).some(({ withoutRevision }) => withoutRevision);
  if (!makesRevisions) return "updates it in place";
  return rule.withoutRevision ? "updates it, without a new revision" : "makes a new revision";
}

function removal({ onRemove }: FieldRule, { required }: Field): string {
  if (required) return "";
  if (typeof onRemove === "object") return "; you cannot remove it";
  return onRemove === "unmanage" ? "; if you remove it, the platform keeps its value" : "";
}

/** What a refresh sees of a value that was changed outside Pulumi, as a sentence; undefined for what is no property of an object. */
export function driftWords(table: Table, { rule }: Place): string | undefined {
  if (table.acts !== undefined || rule.providerOnly !== undefined) return undefined;
  if (rule.notReturned === "always") return "Drift is not detected.";
  if (rule.notReturned === "values") return "Drift is detected as far as the platform shows it, and reported by name.";
  if (rule.notReturned === "when-null") return "Drift is detected if the platform shows it.";
  if (rule.authoritative === true) return "Drift is detected, also of entries that you do not declare.";
  return "Drift is detected.";
}
