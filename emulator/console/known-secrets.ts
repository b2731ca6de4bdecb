import type { Tenant } from "../base/tenant";
import { deployments } from "../platform/deployment-record";
import { oauthProviders } from "../platform/oauth-provider-record";
import { revisions } from "../platform/revision-record";
import { sandboxRegistries } from "../platform/sandbox-registry-record";
import { sandboxTemplates } from "../platform/sandbox-template-record";
import { secretSpellings } from "./spellings";
import type { Store } from "../store/store";

/** What stands in place of a secret. */
export const MASK = "•••";

/** A shorter value is no secret, and masking it would tear up every page: "1", "true". */
const SHORTEST = 6;
/** Beyond so many spellings those of objects that are gone are forgotten. */
const MOST = 1_000_000;

/**
 * All secret values that the emulator holds, to keep them out of every text of a page wherever they turn up. A text is searched once,
 * however many there are: they are found by their first characters.
 */
export class KnownSecrets {
  private readonly byStart = new Map<string, Set<string>>();
  private count = 0;
  private version = -1;
  private seen = new WeakSet();

  constructor(
    private readonly store: Store,
    private readonly tenants: readonly Tenant[],
  ) {}

  /** The text without any known secret, nor the credentials of an address. */
  mask(text: string): string {
    this.refresh();
    return this.without(withoutCredentials(text)).safe;
  }

  /** Masks a text that comes in parts. What could be the beginning of a secret waits for the next part. */
  masker(): { add(part: string): string; end(): string } {
    let rest = "";
    return {
      add: (part) => {
        this.refresh();
        const { safe, waiting } = this.without(rest + part, true);
        rest = waiting;
        return safe;
      },
      end: () => this.without(rest).safe,
    };
  }

  private without(text: string, isPart = false): { readonly safe: string; readonly waiting: string } {
    let safe = "";
    for (let at = 0; at < text.length;) {
      const found = this.secretAt(text, at);
      if (found > 0) {
        safe += MASK;
        // Secrets that overlap go as one.
        let end = at + found;
        for (let inside = at + 1; inside < end; inside++) end = Math.max(end, inside + this.secretAt(text, inside));
        at = end;
      } else if (isPart && this.mayBegin(text, at)) {
        return { safe, waiting: text.slice(at) };
      } else {
        safe += text[at] ?? "";
        at += 1;
      }
    }
    return { safe, waiting: "" };
  }

  /** The length of the longest secret that begins here; 0 for none. */
  private secretAt(text: string, at: number): number {
    let longest = 0;
    for (const secret of this.byStart.get(text.slice(at, at + SHORTEST)) ?? []) {
      if (secret.length > longest && text.startsWith(secret, at)) longest = secret.length;
    }
    return longest;
  }

  /** Whether the rest of the text is the beginning of a secret. */
  private mayBegin(text: string, at: number): boolean {
    const rest = text.length - at;
    if (rest >= SHORTEST) {
      const candidates = this.byStart.get(text.slice(at, at + SHORTEST));
      return candidates !== undefined && [...candidates].some((secret) => secret.startsWith(text.slice(at)));
    }
    const end = text.slice(at);
    for (const start of this.byStart.keys()) if (start.startsWith(end)) return true;
    return false;
  }

  private refresh(): void {
    if (this.version === this.store.version) return;
    this.version = this.store.version;
    if (this.count > MOST) {
      this.byStart.clear();
      this.seen = new WeakSet();
      this.count = 0;
    }
    if (this.count === 0) for (const { apiKey } of this.tenants) this.learn(apiKey);
    for (const record of deployments.in(this.store).all()) this.learnAll(record.secrets);
    for (const { settings } of revisions.in(this.store).all()) if (settings !== null) this.learnAll(settings.secrets);
    for (const record of oauthProviders.in(this.store).all()) if (this.isNew(record)) this.learn(record.client_secret);
    for (const record of sandboxRegistries.in(this.store).all()) if (this.isNew(record)) this.learn(record.password);
    for (const { proxy_config: proxy } of sandboxTemplates.in(this.store).all()) {
      if (proxy === null || !this.isNew(proxy)) continue;
      for (const rule of proxy.rules) for (const value of Object.values(rule.inject_headers)) this.learn(value);
    }
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
    if (value === null || value.length < SHORTEST) return;
    for (const spelling of secretSpellings(value)) this.keep(spelling);
  }

  private keep(value: string): void {
    if (value.length < SHORTEST) return;
    const start = value.slice(0, SHORTEST);
    const known = this.byStart.get(start) ?? new Set();
    if (known.has(value)) return;
    this.byStart.set(start, known.add(value));
    this.count += 1;
  }
}

/** `https://user:password@host` without what stands before the @. */
const withoutCredentials = (text: string): string => text.replace(/(\/\/)[^/\s@"'<>]+@/g, `$1${MASK}@`);
