import { isObject, type Json, type JsonObject } from "../../provider/base/json";
import { type Expressions, IN_QUOTES, VISIBLE } from "./print";

/** Words that a reader of YAML 1.1 or 1.2 takes for something else than a text. */
const WORD = /^(?:true|false|yes|no|on|off|null|y|n)$/i;

/** A text as a scalar of Pulumi's YAML, on one line. No content can end it, and none is an interpolation. */
export function yamlText(text: string): string {
  // Pulumi reads every "$$" as "$", and "${" as the start of an expression.
  const escaped = text.replaceAll("$", "$$$$");
  if (/^[A-Za-z][\w./-]*$/.test(escaped) && !WORD.test(escaped)) return escaped;
  return `"${Array.from(escaped, (character) => IN_QUOTES[character] ?? (VISIBLE.test(character) ? character : code(character))).join("")}"`;
}

/** A lone surrogate can neither be written in YAML nor sent: it becomes the replacement character. */
function code(character: string): string {
  const point = /\p{Cs}/u.test(character) ? 0xfffd : (character.codePointAt(0) ?? 0);
  return point > 0xffff ? `\\U${point.toString(16).padStart(8, "0")}` : `\\u${point.toString(16).padStart(4, "0")}`;
}

/** An object as a block, one line per scalar, each line at `indent`. */
export function yamlBlock(object: JsonObject, indent = "", expressions: Expressions = new Map(), path = ""): string[] {
  return Object.entries(object).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const inside = path === "" ? key : `${path}.${key}`;
    const start = `${indent}${yamlText(key)}:`;
    const expression = expressions.get(inside);
    if (expression !== undefined) return [`${start} ${expression}`];
    if (isObject(value)) return nested(start, yamlBlock(value, `${indent}  `, expressions, inside), "{}");
    if (Array.isArray(value)) return nested(start, elements(value, `${indent}  `), "[]");
    return [`${start} ${scalar(value)}`];
  });
}

/** A value below its key; one without content is written as `empty`, beside the key. */
const nested = (start: string, lines: readonly string[], empty: string): string[] =>
  lines.length === 0 ? [`${start} ${empty}`] : [start, ...lines];

function elements(array: readonly Json[], indent: string): string[] {
  return array.flatMap((element) => {
    if (Array.isArray(element)) return nested(`${indent}-`, elements(element, `${indent}  `), "[]");
    if (!isObject(element)) return [`${indent}- ${scalar(element)}`];
    const [start = "{}", ...rest] = yamlBlock(element, `${indent}  `);
    return [`${indent}- ${start.trimStart()}`, ...rest];
  });
}

const scalar = (value: Json): string => (typeof value === "string" ? yamlText(value) : JSON.stringify(value));

/**
 * A key that Pulumi's YAML treats as one of its functions, anywhere in an object. Such a key cannot be written as data, and `fn::readFile` would read
 * a file of the machine.
 */
export function functionKeyIn(value: Json | undefined): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const found = /^fn::/i.test(key) ? key : functionKeyIn(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
