import { SECRET } from "./changed-fields";

/** How many characters of a value a report shows. */
const LONGEST = 60;

/** A value as reports show it: JSON, on one line, shortened, safe on a terminal. */
export function valueText(value: unknown, longest = LONGEST): string {
  if (value === SECRET) return SECRET;
  const characters = Array.from(printable(JSON.stringify(value)));
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : characters.join("");
}

/** Escapes control characters: text from elsewhere must not steer a terminal, or hide in a comment. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** A name or an id: escaped like a string in JSON, without its quotes. */
export const nameText = (text: string): string => printable(JSON.stringify(text).slice(1, -1));

/** Names with commas, on as many indented lines of this width as they need. */
export function nameLines(names: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const [index, name] of names.map(printable).entries()) {
    const text = index < names.length - 1 ? `${name},` : name;
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + text.length > width) lines.push(`  ${text}`);
    else lines[lines.length - 1] = `${last} ${text}`;
  }
  return lines;
}
