import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../base/clock";
import { setLatest } from "../base/set-latest";
import type { Tenant } from "../base/exchange";

/** How long a code may lie unused. */
const CODE_MS = 60 * 60 * 1000;
/** How long a browser stays signed in. */
const SESSION_MS = 7 * 24 * 60 * 60 * 1000;
/** Unused codes that are kept; the oldest goes first. */
const MOST_CODES = 100;

/**
 * Who may use the console: a browser that opened an address with a one-time code and so got the cookie. The cookie is signed with the keys
 * of the API, so that it outlives a restart of the emulator and is worth no more than they are.
 */
export class SessionAuth {
  /** Digests of the codes that were not used yet, and when each ends. */
  private readonly codes = new Map<string, number>();
  private readonly signingKey: Buffer;

  constructor(
    tenants: readonly Tenant[],
    private readonly clock: Pick<Clock, "now">,
    /** Browsers send the cookies of one port of a host to all others: the name keeps two emulators apart. */
    private readonly cookieName: () => string,
  ) {
    const keys = JSON.stringify(tenants.map(({ apiKey }) => apiKey));
    this.signingKey = createHmac("sha256", "agent-platform-console").update(keys).digest();
  }

  /** A code that signs in once. */
  newCode(): string {
    const code = randomBytes(24).toString("base64url");
    setLatest(this.codes, digestOf(code), this.clock.now() + CODE_MS, MOST_CODES);
    return code;
  }

  /** The Set-Cookie of a browser that brings a code; undefined for a code that is wrong, used or too old. */
  signIn(code: string): string | undefined {
    const digest = digestOf(code);
    const endsAt = this.codes.get(digest);
    this.codes.delete(digest);
    if (endsAt === undefined || endsAt <= this.clock.now()) return undefined;
    const session = `${this.clock.now() + SESSION_MS}.${randomBytes(16).toString("base64url")}`;
    const attributes = `Path=/console; Max-Age=${SESSION_MS / 1000}; HttpOnly; SameSite=Strict`;
    return `${this.cookieName()}=${session}.${this.signatureOf(session)}; ${attributes}`;
  }

  /** Whether the request comes from a browser that is signed in. */
  isSignedIn(headers: IncomingHttpHeaders): boolean {
    const prefix = `${this.cookieName()}=`;
    const values = (headers.cookie ?? "").split(/; */).filter((cookie) => cookie.startsWith(prefix));
    return values.some((cookie) => this.isOurs(cookie.slice(prefix.length)));
  }

  private isOurs(value: string): boolean {
    const [endsAt = "", random = "", signature = "", ...rest] = value.split(".");
    if (rest.length > 0 || !/^\d+$/.test(endsAt)) return false;
    const expected = Buffer.from(this.signatureOf(`${endsAt}.${random}`));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected) && Number(endsAt) > this.clock.now();
  }

  private signatureOf(session: string): string {
    return createHmac("sha256", this.signingKey).update(session).digest("base64url");
  }
}

const digestOf = (code: string): string => createHash("sha256").update(code).digest("base64url");

/**
 * Whether the request names this machine: a page of another name that leads here (DNS rebinding) does not. Any port, because a forwarded
 * one is another.
 */
export function isOwnHost({ host }: IncomingHttpHeaders): boolean {
  return host !== undefined && /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i.test(host);
}

/** Whether a page of another address sent the request: another port of this machine is the same site, so the cookie comes along. */
export const isOfAnotherPage = ({ "sec-fetch-site": site }: IncomingHttpHeaders): boolean =>
  site === "same-site" || site === "cross-site";

/** Whether a page of this very address sent the request: another port of this machine is another origin. */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return false;
  return host !== undefined && origin?.toLowerCase() === `http://${host.toLowerCase()}`;
}
