import type { Field, ObjectShape, Shape } from "../../provider/lifecycle/fields/table";

/** The type of an argument: what a program may give. */
export function inputType(shape: Shape): string {
  return `pulumi.Input<${givenType(shape)}>`;
}

function givenType(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      if (shape.known !== undefined) return openUnion(shape.known);
      return shape.ifNull === undefined ? "string" : "string | null";
    case "number":
      return "number";
    case "flag":
      return "boolean";
    case "flagOr":
      return `boolean | ${shape.choices === "an id" ? "string" : oneOf(shape.choices)}`;
    case "json":
      return "unknown";
    case "choice":
      return oneOf(shape.choices);
    case "nullable":
      return `${givenType(shape.of)} | null | undefined`;
    case "list":
      return `${inputType(shape.of)}[]`;
    case "map":
      return `Record<string, ${shape.of.kind === "json" ? "unknown" : inputType(shape.of)}>`;
    case "object":
      return shape.name ?? inlineType(shape);
  }
}

export const oneOf = (choices: readonly string[]): string => choices.map((each) => JSON.stringify(each)).join(" | ");

/** An editor offers these, and the compiler takes every other text too. */
export const openUnion = (known: readonly string[]): string => `${oneOf(known)} | (string & {})`;

function inlineType({ fields }: ObjectShape): string {
  const members = Object.entries(fields).map(
    ([name, { type, required }]) => `${name}${required ? "" : "?"}: ${inputType(type)}`,
  );
  return `{ ${members.join("; ")} }`;
}

/** The type of a property, as a plain value. What the platform fills in is never absent: it is null. */
export function valueType({ type, computed, required }: Field): string {
  const plain = plainType(type);
  return computed || required || plain === "unknown" ? plain : `${plain} | undefined`;
}

function plainType(shape: Shape): string {
  switch (shape.kind) {
    case "text":
    case "choice":
      // The platform may answer a value that is not among the choices.
      return "string";
    case "flagOr":
      return "boolean | string";
    case "nullable":
      return `${plainType(shape.of)} | null`;
    case "list":
      return `${plainType(shape.of)}[]`;
    case "map":
      return `Record<string, ${plainType(shape.of)}>`;
    case "object":
      return `pulumi.Unwrap<${givenType(shape)}>`;
    default:
      return givenType(shape);
  }
}
