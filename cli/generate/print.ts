import { escaped } from "../base/printable";
import { isObject, type Json, type JsonObject } from "../../provider/base/json";

/** Characters that readers see as they are. Others (controls, direction marks, lone surrogates) could hide or end something. */
export const VISIBLE = /^[\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;
export const IN_QUOTES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\\": "\\\\",
  '"': '\\"',
};

/** A text as a TypeScript string literal, on one line. No content can end the literal. */
export function literal(text: string): string {
  const body = Array.from(
    text,
    (character) => IN_QUOTES[character] ?? (VISIBLE.test(character) ? character : escaped(character)),
  );
  return `"${body.join("")}"`;
}

/** A text in prose: as a literal, in a Markdown code span that its content cannot end. */
export function span(text: string): string {
  return `\`${literal(text).replaceAll("`", "\\u0060")}\``;
}

/** Expressions to print instead of values, by their paths: `sourceConfig.listenerId`. */
export type Expressions = ReadonlyMap<string, string>;

/** An object literal, one property per line, its closing brace at `indent`. */
export function printObject(object: JsonObject, expressions: Expressions = new Map(), indent = "", path = ""): string {
  const lines = Object.entries(object).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const inside = path === "" ? key : `${path}.${key}`;
    const text = expressions.get(inside) ?? printValue(value, expressions, `${indent}  `, inside);
    return [`${indent}  ${printKey(key)}: ${text},\n`];
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

function printValue(value: Json, expressions: Expressions, indent: string, path: string): string {
  if (typeof value === "string") return literal(value);
  if (isObject(value)) return printObject(value, expressions, indent, path);
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `[${value.map((item) => printValue(item, expressions, indent, path)).join(", ")}]`;
}

/** A property's name. `__proto__` would otherwise set the prototype. */
function printKey(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}
