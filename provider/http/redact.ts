/** The place of a removed secret in a message. */
export const REDACTED = "[secret]";

/**
 * The text without the secrets, in the spellings in which a body or a URL may echo them: as is, JSON-escaped, base64 and
 * URL-encoded. Secrets of fewer than 4 characters are left alone: removing them would shred every message.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  const spellings = [...secrets].filter((secret) => secret.length >= 4).flatMap(spellingsOf);
  // The longest first, so that no spelling is cut apart by one that it contains.
  return spellings.sort((a, b) => b.length - a.length).reduce((left, spelling) => left.split(spelling).join(REDACTED), text);
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString("base64");
  return [secret, JSON.stringify(secret).slice(1, -1), base64, base64.replace(/=+$/, ""), bytes.toString("base64url"), encodeURIComponent(secret)];
}
