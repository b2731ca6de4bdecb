import { leniently } from "./errors";
import { excessOf, isParsedJson, jsonIn, UNKNOWN, type Json } from "./json";
import { plainText } from "./plain-text";

/** Replaces a removed secret in a message. */
export const REDACTED = "[secret]";

/** A shorter text does not count as a secret: removing it would make messages unreadable. */
const SHORTEST = 4;
/**
 * Neither does a single word or a small number. If a whole `.env` is declared as secrets, `true`, `build` and `8080` are among them, and a log without these
 * would be unreadable. The price: a password that is a single word of at most 12 letters is shown if the platform repeats it.
 */
const EVERYDAY = /^\s*(["']?)(?:[A-Z]?[a-z]{1,11}|[A-Z]{1,12}|\d{1,5})\1\s*$|^(.)\2*$/;
/** The shortest beginning of a secret that is masked at the end of a text, which may have been cut before it came here. */
const SHORTEST_REST = 12;
/** The same for a text that was certainly cut. */
const SHORTEST_CUT = 8;
/** How often escaping is undone: JSON in JSON in a URL. */
const LEVELS = 6;

/** All secrets that this process has seen: keys, and the secret values of the programs and states that it handled. */
const noted = new Set<string>();
/** Noted secrets whose spellings are not computed yet. That waits for the first text to be shown, because most runs show none. */
let unspelled: string[] = [];

/** Remembers every text and number in a value as a secret, also in a text that is JSON: from now on {@link safeText} removes it. */
export function noteSecrets(value: Json | undefined | readonly (Json | undefined)[]): void {
  if (typeof value === "string") {
    if (value === UNKNOWN || noted.has(value)) return;
    noted.add(value);
    unspelled.push(value);
    // A key file, say: a program that reads it may print what is in it in another form.
    const held = /^\s*[[{]/.test(value) && excessOf(value) === undefined ? jsonIn(value) : undefined;
    if (isParsedJson(held)) noteSecrets(held);
  } else if (typeof value === "number") noteSecrets(String(value));
  else if (typeof value === "object" && value !== null) Object.values(value).forEach(noteSecrets);
}

/**
 * Text from elsewhere, made safe to show: without terminal control sequences, and without the secrets of any resource that this process knows, since
 * an answer may repeat what another request sent. Call it before the text is cut.
 * @param also Further secrets, for this text only.
 */
export function safeText(text: string, also?: Spellings): string {
  const hidden = redactKnown(text, also);
  const plain = plainText(hidden);
  // Mask again, because control characters may have been inside a secret.
  return plain === hidden ? plain : redactKnown(plain, also);
}

/** The same for data, in which control characters stay. */
export function redactKnown(text: string, also?: Spellings): string {
  notedSpellings.add(unspelled);
  unspelled = [];
  return masked(text, also === undefined ? [notedSpellings] : [notedSpellings, also]);
}

/**
 * Every spelling in which a body, a log or a URL may repeat secrets: as they are; escaped for JSON, HTML or a URL, or by Python and Node, in whole or in
 * part, and several times over; in base64, also inside a longer text; in hexadecimal; wrapped. Each line of a secret with several lines counts, as do the
 * password of an address and the token of a header. Indexed by their first characters; to make them costs more than to mask a text.
 */
export class Spellings {
  private readonly byBeginning = new Map<string, Set<string>>();
  private readonly pairs = new Set<number>();

  constructor(secrets: Iterable<string>) {
    this.add(secrets);
  }

  /**
   * The text without these secrets; overlapping ones are removed as one. Mask first, cut later.
   * @param isCut The text was cut, so a shorter beginning of a secret at its end is removed, too.
   */
  mask(text: string, isCut = false): string {
    return masked(text, [this], isCut ? SHORTEST_CUT : SHORTEST_REST);
  }

  get isEmpty(): boolean {
    return this.pairs.size === 0;
  }

  add(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      for (const spelling of spellingsOf(secret)) {
        const beginning = spelling.slice(0, SHORTEST);
        const others = this.byBeginning.get(beginning);
        if (others === undefined) this.byBeginning.set(beginning, new Set([spelling]));
        else others.add(spelling);
        this.pairs.add(pairOf(spelling, 0));
      }
    }
  }

  /** The spellings whose first characters occur in the text: nearly always none. */
  in(text: string): string[] {
    const present = new Set<ReadonlySet<string>>();
    for (let at = 0; at + SHORTEST <= text.length && !this.isEmpty; at++) {
      if (!this.pairs.has(pairOf(text, at))) continue;
      const some = this.byBeginning.get(text.slice(at, at + SHORTEST));
      if (some !== undefined) present.add(some);
    }
    return [...present].flatMap((some) => [...some]);
  }
}

const pairOf = (text: string, at: number): number => (text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1);

const notedSpellings = new Spellings([]);

function masked(text: string, known: readonly Spellings[], shortestRest = SHORTEST_REST): string {
  if (text.length < SHORTEST || known.every(({ isEmpty }) => isEmpty)) return text;
  const edges = new Int32Array(text.length + 1);
  let count = 0;
  const note = (start: number, end: number): void => {
    count += 1;
    edges[start] = (edges[start] ?? 0) + 1;
    edges[end] = (edges[end] ?? 0) - 1;
  };
  let view = viewOf(text);
  for (let level = 0; level <= LEVELS; level++) {
    const { text: bytes, from, to } = view;
    search(spaced(bytes), known, shortestRest, (start, end) => note(from[start] ?? 0, to[end - 1] ?? text.length));
    const next = unescaped(view);
    if (next.text === bytes) break;
    view = next;
  }
  return count > 0 ? covered(text, edges) : text;
}

function covered(text: string, edges: Int32Array): string {
  let [safe, depth, shown] = ["", 0, 0];
  for (let at = 0; at <= text.length; at++) {
    const edge = edges[at] ?? 0;
    if (edge === 0) continue;
    if (depth === 0) safe += text.slice(shown, at) + REDACTED;
    depth += edge;
    shown = at;
  }
  // Adjacent masks become one.
  return (safe + text.slice(shown)).replaceAll(REDACTED + REDACTED, REDACTED);
}

/** Where a text was cut in its middle, and what is left behind that, as in errors of Python: `'sk-live-1a2b...y9z0'`. In bytes. */
const CUT = /(?:\.{3}|\xe2\x80\xa6)[^\s"'`<>]{0,100}/y;

/** Finds all spellings in a text (Aho and Corasick), in time linear in the text and the spellings. */
function search(
  text: string,
  known: readonly Spellings[],
  shortestRest: number,
  note: (start: number, end: number) => void,
): void {
  const present = new Set(known.flatMap((spellings) => spellings.in(text)));
  if (present.size === 0) return;
  const { step, longest, depths } = automatonOf(present);
  let node = 0;
  for (let at = 0; at < text.length; at++) {
    node = step(node, text.charCodeAt(at));
    const [length = 0, beginning = 0] = [longest[node], depths[node]];
    if (length > 0) note(at + 1 - length, at + 1);
    if (beginning < shortestRest) continue;
    CUT.lastIndex = at + 1;
    if (CUT.test(text)) note(at + 1 - beginning, CUT.lastIndex);
  }
  const rest = depths[node] ?? 0;
  if (rest >= shortestRest) note(text.length - rest, text.length);
}

/** Reads a text a character at a time: from node to node, each of which stands for the longest beginning of a spelling that the text now ends with. */
interface Automaton {
  readonly of: ReadonlySet<string>;
  readonly step: (node: number, unit: number) => number;
  /** For each node, the length of the longest spelling that ends there, or 0; and of the beginning that it stands for. */
  readonly longest: readonly number[];
  readonly depths: readonly number[];
}

/** The latest automata, because the texts of a process repeat the same few secrets, and making one takes longer than reading most texts. */
const automata: Automaton[] = [];
const MOST_AUTOMATA = 8;

function automatonOf(spellings: ReadonlySet<string>): Automaton {
  const made = automata.find(({ of }) => of.size === spellings.size && [...spellings].every((each) => of.has(each)));
  if (made !== undefined) return made;
  const automaton = makeAutomaton(spellings);
  automata.unshift(automaton);
  automata.splice(MOST_AUTOMATA);
  return automaton;
}

function makeAutomaton(spellings: ReadonlySet<string>): Automaton {
  const next = [new Map<number, number>()];
  const longest = [0];
  const depths = [0];
  for (const spelling of spellings) {
    let node = 0;
    for (let at = 0; at < spelling.length; at++) {
      const unit = spelling.charCodeAt(at);
      const child = next[node]?.get(unit);
      if (child === undefined) {
        next[node]?.set(unit, next.length);
        node = next.length;
        next.push(new Map());
        longest.push(0);
        depths.push(at + 1);
      } else node = child;
    }
    longest[node] = spelling.length;
  }
  const fallbacks = new Int32Array(next.length);
  const step = (from: number, unit: number): number => {
    for (let node = from; ; node = fallbacks[node] ?? 0) {
      const to = next[node]?.get(unit);
      if (to !== undefined) return to;
      if (node === 0) return 0;
    }
  };
  // By depth, as a fallback is shorter than its node.
  const order = [0];
  for (const node of order) {
    for (const [unit, child] of next[node] ?? []) {
      const fallback = node === 0 ? 0 : step(fallbacks[node] ?? 0, unit);
      fallbacks[child] = fallback;
      longest[child] = Math.max(longest[child] ?? 0, longest[fallback] ?? 0);
      order.push(child);
    }
  }
  return { of: spellings, step, longest, depths };
}

/** A text as its UTF-8 bytes, a character each, and where in the original each of them begins and ends. */
interface View {
  readonly text: string;
  readonly from: Int32Array;
  readonly to: Int32Array;
}

function viewOf(text: string): View {
  const bytes = Buffer.from(text);
  const from = new Int32Array(bytes.length);
  const to = new Int32Array(bytes.length);
  let byte = 0;
  for (let at = 0; at < text.length;) {
    const point = text.codePointAt(at) ?? 0;
    const end = at + (point > 0xffff ? 2 : 1);
    for (let size = sizeOf(point); size > 0; size--, byte++) {
      from[byte] = at;
      to[byte] = end;
    }
    at = end;
  }
  return { text: bytes.toString("latin1"), from, to };
}

const sizeOf = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4);

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** An escape of a URL, of JSON and of languages like it, or of HTML; and the end of a line inside of a word, which may have been wrapped. */
const ESCAPE =
  /(?<=\S)\r?\n[ \t]*(?=\S)|%([0-9a-f]{2})|\\u\{([0-9a-f]{1,6})\}|\\U000([0-9a-f]{5})|\\([0-3][0-7]{2})|\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\([nrtbf]|[^a-z0-9])|&#(\d{1,7});|&#x([0-9a-f]{1,6});|&(amp|lt|gt|quot|apos);/gi;

/** The view with one level of escaping undone. */
function unescaped(view: View): View {
  const { text } = view;
  const from = new Int32Array(text.length);
  const to = new Int32Array(text.length);
  const parts: string[] = [];
  let [length, seen] = [0, 0];
  const keep = (end: number): void => {
    if (end === seen) return;
    parts.push(text.slice(seen, end));
    from.set(view.from.subarray(seen, end), length);
    to.set(view.to.subarray(seen, end), length);
    length += end - seen;
  };
  for (const match of text.matchAll(ESCAPE)) {
    keep(match.index);
    seen = match.index + match[0].length;
    const bytes = meaningOf(match);
    parts.push(bytes);
    from.fill(view.from[match.index] ?? 0, length, length + bytes.length);
    to.fill(view.to[seen - 1] ?? 0, length, length + bytes.length);
    length += bytes.length;
  }
  keep(text.length);
  return { text: parts.join(""), from: from.subarray(0, length), to: to.subarray(0, length) };
}

/** The bytes that an escape stands for: never more of them than it has characters. */
function meaningOf(found: RegExpExecArray): string {
  const [whole, percent, braced, long, octal, high, low, unit, code, short, decimal, hex, entity] = found;
  if (percent !== undefined) return String.fromCharCode(parseInt(percent, 16));
  if (high !== undefined && low !== undefined)
    return bytesOf(String.fromCharCode(parseInt(high, 16), parseInt(low, 16)));
  const number = braced ?? long ?? unit ?? code ?? hex;
  if (number !== undefined) return pointOf(parseInt(number, 16), whole);
  if (octal !== undefined) return pointOf(parseInt(octal, 8), whole);
  if (decimal !== undefined) return pointOf(Number(decimal), whole);
  if (short !== undefined) return ESCAPES[short.toLowerCase()] ?? short;
  if (whole.trim() === "") return "";
  return ENTITIES[entity?.toLowerCase() ?? ""] ?? whole;
}

const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");
const pointOf = (point: number, whole: string): string =>
  point <= 0x10ffff ? bytesOf(String.fromCodePoint(point)) : whole;

/** A form encodes a space as a plus, so the two count as the same character. */
const spaced = (bytes: string): string => bytes.replaceAll("+", " ");

/** The spellings as bytes. A spelling that looks like an escape itself is unescaped as often as the text may be. */
function undone(spellings: Iterable<string>): Set<string> {
  const all = new Set<string>();
  for (const spelling of spellings) {
    let view = viewOf(spelling);
    all.add(spaced(view.text));
    for (let level = 0; level < LEVELS; level++) {
      const next = unescaped(view);
      if (next.text === view.text) break;
      view = next;
      if (view.text.length >= SHORTEST) all.add(spaced(view.text));
    }
  }
  return all;
}

const spellingsOf = (secret: string): string[] =>
  [...undone(new Set(partsOf(secret).flatMap(encodings)))].filter((each) => each.length >= SHORTEST);

const SCHEME = /^(?:basic|bearer|token|apikey|digest|negotiate) +/i;

/** The parts of a secret that are secrets by themselves. */
function partsOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  const whole = [secret, secret.trim(), plainText(secret), ...lines];
  const bare = whole.flatMap((each) => {
    const quotes = each.at(0);
    const isQuoted = each.length > 2 && (quotes === '"' || quotes === "'") && each.endsWith(quotes);
    return [each.replace(SCHEME, ""), ...(isQuoted ? [each.slice(1, -1)] : [])];
  });
  const telling = [...whole, ...bare].filter((each) => !EVERYDAY.test(each));
  return [...new Set([...telling, ...whole.flatMap(credentialsIn)])].filter((each) => each.length >= SHORTEST);
}

/** The password of an address, and its user and password. */
function credentialsIn(address: string): string[] {
  const begin = address.indexOf("://");
  if (begin < 0) return [];
  const server = address.slice(begin + 3);
  // A password may contain an unescaped slash.
  const end = server.lastIndexOf("@");
  if (end < 0) return [];
  const credentials = server.slice(0, end);
  const password = credentials.slice(credentials.indexOf(":") + 1);
  return [credentials, password, leniently(() => decodeURIComponent(password)) ?? password];
}

/** The part, its encodings that are not unescaped, and escaped forms that must be listed because the part may look like an escape itself. */
function encodings(part: string): string[] {
  const bytes = Buffer.from(part);
  const hex = bytes.toString("hex");
  // Base64 may contain JSON, in which the part is escaped.
  const json = JSON.stringify(part).slice(1, -1);
  const encoded = json === part ? base64(bytes) : [...base64(bytes), ...base64(Buffer.from(json))];
  // Python and others print bytes: b'\xc3\xa9', which reads as two characters.
  const printed = bytes.toString("latin1");
  return [part, json, JSON.stringify(json).slice(1, -1), ...urls(part), ...encoded, hex, hex.toUpperCase(), printed];
}

function urls(part: string): string[] {
  // A lone surrogate cannot be encoded in a URL.
  if (/\p{Cs}/u.test(part)) return [];
  const url = encodeURIComponent(part);
  return [url, url.replace(/%../g, (code) => code.toLowerCase())];
}

/** A shorter part of base64 would also match ordinary text. */
const SHORTEST_PART = 8;

function base64(bytes: Buffer): string[] {
  // Inside a longer text, it begins at one of three offsets, and the digits at its ends contain bits of its neighbours.
  const parts = [0, 1, 2].map((offset) => {
    const digits = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    return digits.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const whole = bytes.toString("base64");
  const all = [
    whole,
    whole.slice(0, Math.ceil((bytes.length * 4) / 3)),
    ...parts.filter((part) => part.length >= SHORTEST_PART),
  ];
  return all.flatMap((digits) => [digits, digits.replaceAll("+", "-").replaceAll("/", "_")]);
}
