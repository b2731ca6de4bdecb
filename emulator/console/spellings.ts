/** What of a secret is a secret by itself (its lines, the token of a header, the password of an address), and how a text may spell it. */
export function secretSpellings(secret: string): ReadonlySet<string> {
  return new Set(partsOf(secret).flatMap(spelled));
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
    return [line, token ?? "", quoted ?? "", server, password, plain];
  });
}

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
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
  ];
}
