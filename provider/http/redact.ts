/** The place of a removed secret in a message. */
export const REDACTED = "[secret]";

/**
 * The text without the secrets, in the spellings in which a body or a URL may echo them: as is, escaped for JSON (also JSON in
 * JSON) or HTML, as Python and Node print a text that they quote, base64 (also inside of a longer text), URL-encoded, hexadecimal.
 * Secrets of fewer than 4 characters are left alone: removing them would shred every message.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  const all = [...secrets].filter((secret) => secret.length >= 4).flatMap(spellingsOf);
  const spellings = all.filter((spelling) => text.includes(spelling));
  if (spellings.length === 0) return text;
  // In one pass, longest first: no spelling is broken by one that it contains, and no removal creates another match.
  const pattern = [...new Set(spellings)]
    .sort((a, b) => b.length - a.length)
    .map((spelling) => spelling.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return text.replace(new RegExp(pattern.join("|"), "g"), REDACTED);
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const hex = bytes.toString("hex");
  return [
    secret,
    json,
    asciiJson(json),
    goJson(json),
    JSON.stringify(json).slice(1, -1),
    JSON.stringify(asciiJson(json)).slice(1, -1),
    ...quoted(json),
    ...html(secret),
    ...html(json),
    ...base64(bytes),
    ...urls(secret),
    hex,
    hex.toUpperCase(),
  ];
}

/** As written by languages that escape everything beyond ASCII. */
function asciiJson(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** As Go writes it, lest a browser takes it for HTML. */
function goJson(json: string): string {
  return json.replace(/[<>&]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`);
}

/** JavaScript leaves five characters as they are that others encode. */
function urls(secret: string): string[] {
  const some = encodeURIComponent(secret);
  const all = some.replace(/[!'()*]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`);
  return [some, all].flatMap((url) => [
    url,
    url.replace(/%../g, (code) => code.toLowerCase()),
    url.replaceAll("%20", "+"),
  ]);
}

/** As Python's repr and Node's inspect write it: within single quotes unless these are in it. */
function quoted(json: string): string[] {
  const plain = json.replace(/\\(.)/g, (pair, character) => (character === '"' ? '"' : pair));
  return [plain, plain.replaceAll("'", "\\'")];
}

function html(text: string): string[] {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const whole = escaped.replaceAll('"', "&quot;");
  return [escaped, whole, whole.replaceAll("'", "&#39;"), whole.replaceAll("'", "&#x27;")];
}

/** Shorter than this, a part of base64 would be found in innocent text. */
const SHORTEST_PART = 8;

function base64(bytes: Buffer): string[] {
  // Inside a longer text it begins at one of three offsets, and the digits at its ends hold bits of its neighbours.
  const parts = [0, 1, 2].map((offset) => {
    const digits = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    return digits.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const whole = bytes.toString("base64");
  const all = [whole, whole.replace(/=+$/, ""), ...parts.filter((part) => part.length >= SHORTEST_PART)];
  return all.flatMap((digits) => [digits, digits.replaceAll("+", "-").replaceAll("/", "_")]);
}
