/** Characters that readers see as they are. Others (controls, direction marks, lone surrogates) could hide or end something. */
const VISIBLE = /^[\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

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

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

const count = (text: string, quote: string): number => text.split(quote).length - 1;
