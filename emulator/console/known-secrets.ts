import type { Tenant } from "../base/exchange";
import { deployments } from "../platform/deployment-record";
import { listeners } from "../platform/listener-record";
import { oauthProviders } from "../platform/oauth-provider-record";
import { revisions } from "../platform/revision-record";
import { sandboxSnapshots } from "../platform/sandbox-snapshot-record";
import { sandboxTemplates } from "../platform/sandbox-template-record";
import { uploads } from "../platform/uploads";
import { sandboxRegistries } from "../routes/sandbox-registries";
import type { Store } from "../store/store";
import { MASK } from "./format";
import { secretSpellings, unescaped } from "./spellings";

/** A shorter value is no secret, and masking it would tear up every page: "1", "true". */
const SHORTEST = 6;
/** Nor is a word or a number that every log has: the provider's messages show it, too (SECURITY.md). */
const EVERYDAY = /^(?:[A-Z]?[a-z]{1,11}|[A-Z]{1,12}|\d{1,5})$/;
/** What is left of a secret at the end of a text that was cut. */
const SHORTEST_REST = 8;
/** How often escaping is undone: JSON in JSON in a URL. */
const LEVELS = 4;
/** Beyond so many spellings those of objects that are gone are forgotten. */
const MOST = 1_000_000;
/** What could be a name within a text: a segment of a path, a text of JSON, a word. */
const WORD = /[^\s"'`/?&=,;:()<>[\]{}]+/g;

/** A part of a text: from its first character to the one behind its last. */
type Place = readonly [start: number, end: number];

/**
 * All secret values that the emulator holds, to keep them out of every text of a page wherever they turn up. A text is searched once for each
 * level of escapes, however many there are: they are found by their first characters. The name of an object is none, even where a variable
 * has it as its value.
 */
export class KnownSecrets {
  /** By their first characters, and by their length: many begin as all addresses do. */
  private readonly byStart = new Map<string, Map<number, Set<string>>>();
  /** The beginnings of those first characters. */
  private readonly beginnings = new Set<string>();
  private names = new Set<string>();
  private count = 0;
  private version = -1;
  private seen = new WeakSet();

  constructor(
    private readonly store: Store,
    private readonly tenants: readonly Tenant[],
  ) {}

  /**
   * The text without any known secret, nor the credentials of an address. Mask first, cut later.
   * @param isCut The text may have been cut before: what its end has of a secret goes, too.
   */
  mask(text: string, isCut = false): string {
    this.refresh();
    // Where a part of a secret is found before the escapes in the rest of it are undone, the whole is found in the text without them.
    let best = this.without(text, isCut);
    for (let plain = text, level = 0; level < LEVELS; level++) {
      plain = unescaped(plain);
      const found = this.without(plain, isCut);
      if (found.hidden > best.hidden) best = found;
    }
    let [safe, plain] = [best.text, best.text];
    for (let level = 0; level < LEVELS; level++) {
      const next = unescaped(plain);
      if (next === plain) break;
      plain = this.without(next, isCut).text;
      // As it was written, there is no place for the mask: the text is shown without its escapes.
      if (plain !== next) safe = plain;
    }
    return withoutCredentials(safe);
  }

  /** Masks a text that comes in parts. What could be the beginning of a secret waits for the next part. */
  masker(): { add(part: string): string; end(): string } {
    let rest = "";
    /** So many characters of the rest are part of a secret whose mask is out already. */
    let hidden = 0;
    return {
      add: (part) => {
        this.refresh();
        const text = rest + part;
        const isInside = hidden > 0;
        const places = this.placesIn(text, hidden);
        const open = this.openAt(text);
        const across = places.find(([start, end]) => start < open && end > open);
        if (open > 0) hidden = across === undefined ? 0 : across[1] - open;
        rest = text.slice(open);
        const safe = covered(text.slice(0, open), places);
        return isInside ? safe.slice(MASK.length) : safe;
      },
      end: () => (rest.length < SHORTEST_REST ? rest.slice(hidden) : hidden > 0 ? "" : MASK),
    };
  }

  private without(text: string, isCut: boolean): { readonly text: string; readonly hidden: number } {
    const places = this.placesIn(text);
    const open = isCut ? this.openAt(text) : text.length;
    if (text.length - open >= SHORTEST_REST) places.push([open, text.length]);
    if (places.length === 0) return { text, hidden: 0 };
    const names = this.namesIn(text);
    let next = 0;
    const kept = places.filter(([start, end]) => {
      while ((names[next]?.[1] ?? Infinity) < end) next += 1;
      return (names[next]?.[0] ?? Infinity) > start;
    });
    return { text: covered(text, kept), hidden: kept.reduce((sum, [start, end]) => sum + end - start, 0) };
  }

  /** Where secrets are, in order: those that overlap are one. */
  private placesIn(text: string, hidden = 0): Place[] {
    const places: Place[] = hidden > 0 ? [[0, hidden]] : [];
    for (let at = 0; at + SHORTEST <= text.length; at++) {
      let longest = 0;
      for (const [length, secrets] of this.byStart.get(text.slice(at, at + SHORTEST)) ?? []) {
        if (length > longest && secrets.has(text.slice(at, at + length))) longest = length;
      }
      if (longest === 0) continue;
      const [start, end] = places.at(-1) ?? [0, -1];
      if (at < end) places[places.length - 1] = [start, Math.max(end, at + longest)];
      else places.push([at, at + longest]);
    }
    return places;
  }

  /** Where names of objects are, in order: the whole text, or words of it. */
  private namesIn(text: string): readonly Place[] {
    if (this.names.has(text)) return [[0, text.length]];
    return [...text.matchAll(WORD)].flatMap(({ 0: found, index }): Place[] => {
      const word = found.endsWith(".") ? found.slice(0, -1) : found;
      return this.names.has(word) || this.names.has(unescaped(word)) ? [[index, index + word.length]] : [];
    });
  }

  /** From where on the text is the beginning of a secret; its length if it is none. */
  private openAt(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const rest = text.slice(at, at + SHORTEST);
      if (rest.length === SHORTEST) {
        const end = text.slice(at);
        for (const [length, secrets] of this.byStart.get(rest) ?? [])
          if (length > end.length) for (const secret of secrets) if (secret.startsWith(end)) return at;
      } else if (this.beginnings.has(rest)) return at;
    }
    return text.length;
  }

  private refresh(): void {
    if (this.version === this.store.version) return;
    this.version = this.store.version;
    if (this.count > MOST) {
      this.byStart.clear();
      this.beginnings.clear();
      this.seen = new WeakSet();
      this.count = 0;
    }
    if (this.count === 0) for (const { apiKey } of this.tenants) this.learn(apiKey);
    for (const record of deployments.in(this.store).all()) this.learnAll(record.secrets);
    for (const { settings } of revisions.in(this.store).all()) if (settings !== null) this.learnAll(settings.secrets);
    for (const record of oauthProviders.in(this.store).all()) if (this.isNew(record)) this.learn(record.client_secret);
    for (const record of sandboxRegistries.in(this.store).all()) if (this.isNew(record)) this.learn(record.password);
    // The address of an upload is the permission to use it.
    for (const record of uploads.in(this.store).all()) if (this.isNew(record)) this.learn(record.id);
    for (const { proxy_config: proxy } of sandboxTemplates.in(this.store).all()) {
      if (proxy === null || !this.isNew(proxy)) continue;
      for (const rule of proxy.rules) for (const value of Object.values(rule.inject_headers)) this.learn(value);
    }
    const named = [deployments, sandboxTemplates, sandboxSnapshots, sandboxRegistries] as const;
    this.names = new Set([
      ...named.flatMap((each) =>
        each
          .in(this.store)
          .all()
          .map(({ name }) => name),
      ),
      ...oauthProviders
        .in(this.store)
        .all()
        .map(({ provider_id: id }) => id),
      ...listeners
        .in(this.store)
        .all()
        .map(({ compute_id: id }) => id),
    ]);
    for (const { apiKey } of this.tenants) this.names.delete(apiKey);
  }

  private learnAll(secrets: readonly { readonly value: string }[]): void {
    if (this.isNew(secrets)) for (const { value } of secrets) this.learn(value);
  }

  private isNew(part: object): boolean {
    if (this.seen.has(part)) return false;
    this.seen.add(part);
    return true;
  }

  private learn(value: string | null): void {
    if (value === null || value.length < SHORTEST || EVERYDAY.test(value)) return;
    for (const spelling of secretSpellings(value)) this.keep(spelling);
  }

  private keep(value: string): void {
    if (value.length < SHORTEST) return;
    const start = value.slice(0, SHORTEST);
    const lengths = this.byStart.get(start) ?? new Map<number, Set<string>>();
    const known = lengths.get(value.length) ?? new Set();
    if (known.has(value)) return;
    this.byStart.set(start, lengths.set(value.length, known.add(value)));
    for (let length = 1; length < SHORTEST; length++) this.beginnings.add(start.slice(0, length));
    this.count += 1;
  }
}

/** The text with a mask at each of the places; neighbours share one. */
function covered(text: string, places: readonly Place[]): string {
  let [safe, shown] = ["", -1];
  for (const [start, end] of places) {
    if (start >= text.length) break;
    if (start > shown) safe += text.slice(Math.max(shown, 0), start) + MASK;
    shown = Math.max(shown, end);
  }
  return safe + text.slice(Math.max(shown, 0));
}

/** `https://user:password@host` without what stands before the @. */
const withoutCredentials = (text: string): string => text.replace(/(\/\/)[^/\s@"'<>]+@/g, `$1${MASK}@`);
