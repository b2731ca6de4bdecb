import { REDACTED, Spellings } from "../../provider/base/masker";
import type { Tenant } from "../base/exchange";
import { revisions } from "../platform/revision-record";
import { uploads } from "../platform/resource-records";
import { redacted } from "../server/request-log";
import type { Store } from "../store/store";
import { TYPES } from "./model/objects";

/** Beyond so many secrets those of objects that are gone are forgotten. */
const MOST = 20_000;

/**
 * All secret values that the emulator holds, to keep them out of every text of a page. A value that is the name of an object is shown, because it
 * is no secret: variables and logs repeat names.
 */
export class KnownSecrets {
  private readonly values = new Set<string>();
  private hidden = new Set<string>();
  private spellings = new Spellings([]);
  private version = -1;

  constructor(
    private readonly store: Store,
    private readonly tenants: readonly Tenant[],
  ) {}

  /**
   * The text without any known secret, nor the credentials of an address. Mask first, cut later.
   * @param isCut The text may have been cut: the beginning of a secret at its end is masked as well.
   */
  mask(text: string, isCut = false): string {
    return withoutCredentials(this.current().mask(text, isCut));
  }

  private current(): Spellings {
    if (this.version === this.store.version) return this.spellings;
    this.version = this.store.version;
    if (this.values.size > MOST) this.values.clear();
    for (const value of secretsIn(this.store)) this.values.add(value);
    const names = namesIn(this.store);
    const secrets = [...this.values].filter((value) => !names.has(value));
    const keys = this.tenants.map(({ apiKey }) => apiKey);
    const hidden = new Set([...secrets, ...keys].flatMap((value) => [value, ...logged(value)]));
    const added = [...hidden].filter((value) => !this.hidden.has(value));
    if (hidden.size === this.hidden.size + added.length) this.spellings.add(added);
    else this.spellings = new Spellings(hidden);
    this.hidden = hidden;
    return this.spellings;
  }
}

/** Of objects, of their revisions, and the addresses of uploads, which are the permission to use them. */
const secretsIn = (store: Store): string[] => [
  ...TYPES.flatMap(({ secrets }) => secrets(store)),
  ...revisions
    .in(store)
    .all()
    .flatMap(({ settings }) => settings?.secrets ?? [])
    .map(({ value }) => value),
  ...uploads
    .in(store)
    .all()
    .map(({ id }) => id),
];

const namesIn = (store: Store): ReadonlySet<string> =>
  new Set(TYPES.flatMap(({ all }) => all(store).map(({ name }) => name)));

/** What the log of requests leaves of the addresses in a secret: their paths may be the secret. */
const logged = (secret: string): string[] =>
  secret
    .split(/[\r\n]+/)
    .filter((line) => /[@?]/.test(line))
    .map((line) => String(redacted(`://${line.trim()}`, "name")).slice(3));

/** `https://user:password@host` without what stands before the @. */
const withoutCredentials = (text: string): string => text.replace(/(\/\/)[^/\s@"'<>]+@/g, `$1${REDACTED}@`);

/** What a page needs whole to work; none of it is a client's own text. */
const STRUCTURE = new Set(["id", "status", "off", "release", "method", "collection", "phase"]);

/**
 * A view without any known secret in its texts. The one door to a page: views hold whole texts, and whatever is cut, encoded or put together of
 * them is so behind it.
 */
export function masked<T>(view: T, secrets: KnownSecrets): T;
export function masked(view: unknown, secrets: KnownSecrets): unknown {
  if (typeof view === "string") return secrets.mask(view);
  if (Array.isArray(view)) return view.map((item: unknown) => masked(item, secrets));
  if (typeof view !== "object" || view === null) return view;
  const shown = ([name, value]: [string, unknown]): unknown => {
    if (typeof value !== "string") return masked(value, secrets);
    // A parameter of a query ends at its =, which may stand in a secret.
    return STRUCTURE.has(name) ? value : secrets.mask(value, name === "parameter");
  };
  return Object.fromEntries(Object.entries(view).map((each) => [each[0], shown(each)]));
}
