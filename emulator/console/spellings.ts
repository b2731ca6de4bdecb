import { redacted } from "../server/request-log";

/** What of a secret is a secret by itself (its lines, the token of a header, the password of an address), and how a text may spell it. */
export function secretSpellings(secret: string): ReadonlySet<string> {
  const parts = partsOf(secret).flatMap((part) => [part, unescaped(part), unescaped(unescaped(part))]);
  return new Set([...new Set(parts)].flatMap(spelled));
}

function partsOf(secret: string): string[] {
  const lines = [secret, ...secret.split(/[\r\n]+/).map((line) => line.trim())];
  return lines.flatMap((line) => {
    const [, token] = /^(?:basic|bearer|token|apikey|digest) +(\S+)$/i.exec(line) ?? [];
    const [, quoted] = /^["'](.+)["']$/.exec(line) ?? [];
    const address = line.indexOf("://");
    const server = address < 0 ? "" : line.slice(address + 3, Math.max(line.lastIndexOf("@"), address + 3));
    const password = server.slice(server.indexOf(":") + 1);
    const plain = /^(?:[^%]|%[0-7][0-9a-f])*$/i.test(password) ? decodeURIComponent(password) : password;
    return [line, token ?? "", quoted ?? "", server, password, plain, logged(line)];
  });
}

/** What the log of requests leaves of an address: its path may be the secret. */
const logged = (line: string): string => (/[@?]/.test(line) ? String(redacted(`://${line}`, "name")).slice(3) : "");

function spelled(part: string): string[] {
  if (part === "") return [];
  const json = JSON.stringify(part).slice(1, -1);
  const ascii = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const url = /\p{Cs}/u.test(part) ? part : encodeURIComponent(part);
  const lower = url.replace(/%../g, (code) => code.toLowerCase());
  const html = part.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const bytes = Buffer.from(part);
  const base64 = [0, 1, 2].flatMap((offset) => {
    const digits = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const own = digits.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return own.length < 8 ? [] : [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [
    part,
    json,
    ascii,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll("'", "\\'").replaceAll('\\"', '"'),
    url,
    lower,
    url.replaceAll("%20", "+"),
    html,
    html.replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
    ...base64,
    ...base64.map(encodeURIComponent),
    // As Node reads it in a header.
    bytes.toString("latin1"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
  ];
}

/** An escape of a URL, of JSON, of Python or of HTML; each has an end within a few characters. */
const ESCAPE =
  /(?:%[0-9a-f]{2})+|\\u\{([0-9a-f]{1,6})\}|\\U000([0-9a-f]{5})|\\([0-3][0-7]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\([^a-z0-9])|&#(\d{1,7});|&#x([0-9a-f]{1,6});|&(amp|lt|gt|quot|apos);/gi;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text with one level of escapes undone. */
export const unescaped = (text: string): string =>
  /[%\\&]/.test(text) ? text.replace(ESCAPE, (...found: (string | undefined)[]) => meaningOf(found)) : text;

function meaningOf(found: readonly (string | undefined)[]): string {
  const [whole = "", braced, long, octal, unit, code, mark, decimal, hex, entity] = found;
  if (mark !== undefined) return mark;
  if (entity !== undefined) return ENTITIES[entity.toLowerCase()] ?? whole;
  const sixteen = braced ?? long ?? unit ?? code ?? hex;
  const point =
    sixteen !== undefined ? parseInt(sixteen, 16) : octal !== undefined ? parseInt(octal, 8) : Number(decimal);
  if (!Number.isNaN(point)) return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  try {
    return decodeURIComponent(whole);
  } catch {
    // Not all of it is text: the letters are.
    return whole.replace(/%([0-7][0-9a-f])/gi, (_, ascii: string) => String.fromCharCode(parseInt(ascii, 16)));
  }
}
