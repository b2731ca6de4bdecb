import { escaped } from "../base/printable";
import { isObject, type Json, type JsonObject } from "../../provider/base/json";

/** Characters that readers see as they are. Others (controls, direction marks, lone surrogates) could hide or end something. */
export const VISIBLE = /^[\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;
export const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

/**
 * A text as a TypeScript string literal, on one line, quoted as prettier quotes. No content can end the literal.
 * @param ascii Whether everything outside ASCII is escaped, so that the width is the length.
 */
export function literal(text: string, ascii = false): string {
  const quote = count(text, '"') > count(text, "'") ? "'" : '"';
  const body = Array.from(text, (character) => {
    if (character === quote) return `\\${quote}`;
    const isShown = ascii ? /^[\x20-\x7e]$/.test(character) : VISIBLE.test(character);
    return SHORT[character] ?? (isShown ? character : escaped(character));
  });
  return quote + body.join("") + quote;
}

/** A text in prose: as a literal, in a Markdown code span that its content cannot end. */
export function span(text: string): string {
  return `\`${literal(text).replaceAll("`", "\\u0060")}\``;
}

const count = (text: string, quote: string): number => text.split(quote).length - 1;

/** The line width of the generated project's prettier. */
export const WIDTH = 120;

/** Lines of comment at the end of an object, by the path of the object: "" is the outermost. */
export type Comments = ReadonlyMap<string, readonly string[]>;

/** Text to print that the values do not hold. */
export interface Additions {
  readonly comments?: Comments;
  /** Expressions to print instead of values, by their paths. */
  readonly expressions?: ReadonlyMap<string, string>;
}

/** A statement that creates a resource, formatted as prettier formats it. `head` is the text before `new`. */
export function printResource(
  head: string,
  type: string,
  name: string,
  args: JsonObject,
  additions: Additions = {},
): string {
  const start = `${head}new ${type}(`;
  const hugged = `${start}${literal(name)}, {`;
  if (hugged.length <= WIDTH) return `${start}${literal(name)}, ${printObject(args, "", additions)});\n`;
  return `${start}\n  ${literal(name)},\n  ${printObject(args, "  ", additions)},\n);\n`;
}

/** An object literal, one property per line, its closing brace at `indent`. */
function printObject(object: JsonObject, indent: string, additions: Additions = {}, path = ""): string {
  const inner = `${indent}  `;
  const properties = Object.entries(object).flatMap(([key, value]) =>
    value === undefined ? [] : [printProperty(key, value, inner, additions, path === "" ? key : `${path}.${key}`)],
  );
  const lines = [...properties, ...(additions.comments?.get(path) ?? []).map((line) => `${inner}// ${line}`)];
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${indent}}`;
}

function printProperty(key: string, value: Json, indent: string, additions: Additions, path: string): string {
  const name = printKey(key);
  const expression = additions.expressions?.get(path);
  if (expression !== undefined) return `${indent}${name}: ${expression},`;
  if (isObject(value)) return `${indent}${name}: ${printObject(value, indent, additions, path)},`;
  if (Array.isArray(value)) return `${indent}${name}: ${printArray(value, indent, `${indent}${name}: `)},`;
  const line = `${indent}${name}: ${printScalar(value)},`;
  if (typeof value !== "string" || widest(line) <= WIDTH) return line;
  const plain = `${indent}${name}: ${literal(value, true)},`;
  // Prettier keeps a text beside its key if a separate line would gain hardly any width.
  const stays = plain.length <= WIDTH || name.length < 5;
  return stays ? plain : `${indent}${name}:\n${indent}  ${literal(value, true)},`;
}

/** An array of texts or of objects; the arguments of this provider have no other arrays. */
function printArray(array: readonly Json[], indent: string, before: string): string {
  const inner = `${indent}  `;
  const print = (element: Json, ascii: boolean): string =>
    isObject(element) ? printObject(element, inner) : printScalar(element, ascii);
  const line = `[${array.map((element) => print(element, false)).join(", ")}]`;
  if (!line.includes("\n") && widest(`${before}${line},`) <= WIDTH) return line;
  return `[\n${array.map((element) => `${inner}${print(element, true)},\n`).join("")}${indent}]`;
}

function printScalar(value: Json, ascii = false): string {
  if (typeof value === "string") return literal(value, ascii);
  return JSON.stringify(value).replace("e+", "e");
}

/** An import as prettier formats it. */
export function printImport(names: readonly string[], module: string): string {
  const line = `import { ${names.join(", ")} } from ${literal(module)};`;
  return line.length <= WIDTH
    ? line
    : `import {\n${names.map((name) => `  ${name},\n`).join("")}} from ${literal(module)};`;
}

/** A property's name, in ASCII. `__proto__` would otherwise set the prototype. */
export function printKey(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key, true);
}

/** An upper bound of a line's width: a character outside ASCII takes at most two columns. */
function widest(line: string): number {
  return Array.from(line).reduce((width, character) => width + (character > "\x7e" ? 2 : 1), 0);
}
