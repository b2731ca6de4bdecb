import { plainText } from "./plain-text";

/**
 * A text as one word of a shell, whatever it holds. Without control sequences: a message would lose them later, and a quote of ours with one that is
 * begun at the end of the text.
 */
export function shellWord(text: string): string {
  const plain = plainText(text);
  return /^[\w./:@-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", `'\\''`)}'`;
}
