import { isIP } from "node:net";
import { withoutEnd } from "./plain-text";

/** Why a text is not a usable http(s) URL; undefined if it is one. Never repeats the text: it may hold a password. */
export function urlProblem(text: string): string | undefined {
  if (hasControlCharacter(text) || /\s/.test(text)) return "must be a URL without spaces or control characters";
  if (!URL.canParse(text)) return "must be an absolute URL, like https://example.com/path";
  const parsed = new URL(text);
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") return "must be an http or https URL";
  if (parsed.username !== "" || parsed.password !== "") return "must not contain a user name or password";
  return undefined;
}

/** Why a text is not the address of a server, to which paths are added; undefined if it is one. */
export const serverProblem = (text: string): string | undefined =>
  urlProblem(text) ??
  (/[?#]/.test(text) ? "must not have a query or a fragment (? or #): paths are added to it" : undefined);

/** Why a text is not an address, that is, a URL or a bare host ("a.example.com"); undefined if it is one. */
export function addressProblem(text: string): string | undefined {
  if (text.includes("://")) return urlProblem(text);
  const isHost = /^[\p{L}\p{N}[]/u.test(text) && urlProblem(withScheme(text)) === undefined;
  return isHost ? undefined : "must be a host, like a.example.com, or an absolute URL, like https://a.example.com";
}

/** An address as a URL, with https if it has no scheme. */
export const withScheme = (address: string): string => (address.includes("://") ? address : `https://${address}`);

/** An address as every client reads it: the case of its host and the port of its scheme mean nothing. */
function readAddress(address: string): string {
  const url = withScheme(address);
  return withoutSlash(URL.canParse(url) ? new URL(url).href : url);
}

export const sameAddress = (one: string, other: string): boolean => readAddress(one) === readAddress(other);

/** Why a text is not usable in a header; undefined if it is. A key with a line break would become two headers, or cause an error that shows the key. */
export const headerProblem = (text: string): string | undefined =>
  /^[\x21-\x7e]+$/.test(text)
    ? undefined
    : "must be visible ASCII without spaces or line breaks (check that you pasted all of it)";

/** True for text with line breaks, tabs or other characters that no terminal shows. */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** True for plain http to another machine, which would expose the key on the network. */
export function isInsecure(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !isLoopback(hostname);
}

const OWN_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** All spellings of an absolute address that reach the same server: only this machine has several names. */
export function spellingsOf(address: string): string[] {
  const { protocol, hostname, port, pathname } = new URL(address);
  if (!OWN_HOSTS.includes(hostname)) return [address];
  const rest = withoutSlash(`${port === "" ? "" : `:${port}`}${pathname}`);
  return [address, ...OWN_HOSTS.map((host) => `${protocol}//${host}${rest}`)];
}

/** True for localhost and the loopback addresses of both families. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

export const withoutSlash = (address: string): string => withoutEnd(address, "/");
