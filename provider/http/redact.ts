/** The place of a removed secret in a message. */
export const REDACTED = "[secret]";

/**
 * The text without the secrets, in the spellings in which a body or a URL may echo them: as is, JSON-escaped, base64 and
 * URL-encoded. Secrets of fewer than 4 characters are left alone: removing them would shred every message.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  const spellings = [...secrets].filter((secret) => secret.length >= 4).flatMap(spellingsOf);
  if (spellings.length === 0) return text;
  // In one pass, the longest first: no spelling is cut apart by one that it contains, and no removal makes room for another.
  const pattern = spellings
    .sort((a, b) => b.length - a.length)
    .map((spelling) => spelling.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return text.replace(new RegExp(pattern.join("|"), "g"), REDACTED);
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString("base64");
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replace(/=+$/, ""),
    bytes.toString("base64url"),
    encodeURIComponent(secret),
  ];
}
