import { consequencesOf, type Field } from "../../provider/lifecycle/fields/table";
import { wrapped } from "./markdown";

const WIDTH = 140;

/** The comment of an argument: its description, and what follows from the rest of its row. */
export function commentOf(field: Field, indent: string): string {
  const text = [field.description, ...consequencesOf(field)].join(" ");
  const otherwise = field.defaultText ?? field.classDefault ?? scalar(field);
  return comment(withDeprecation(otherwise === undefined ? text : `${text} @default ${otherwise}`, field), indent);
}

/** Adds the tag by which editors and compilers recognize a deprecated property. */
export const withDeprecation = (text: string, { deprecationMessage }: Field): string =>
  deprecationMessage === undefined ? text : `${text} @deprecated ${deprecationMessage}`;

function scalar({ default: value }: Field): string | undefined {
  return value === undefined || typeof value === "object" ? undefined : JSON.stringify(value);
}

/** A comment of documentation: on one line where it fits. @param example Code, below the text. */
export function comment(text: string, indent = "", example?: string): string {
  const whole = `${indent}/** ${text} */\n`;
  if (example === undefined && whole.length <= WIDTH) return whole;
  const shown = example === undefined ? [] : ["", "@example", ...example.split("\n")];
  const lines = [...broken(text, WIDTH - `${indent} * `.length), ...shown];
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd() + "\n").join("")}${indent} */\n`;
}

/** The text in lines. A citation stays on one: `(docs/internals/platform.md, Lists)`. */
function broken(text: string, width: number): string[] {
  const whole = text.replace(/\(docs\/[^)]*\)/g, (citation) => citation.replaceAll(" ", "\0"));
  return wrapped(whole, width).map((line) => line.replaceAll("\0", " "));
}
