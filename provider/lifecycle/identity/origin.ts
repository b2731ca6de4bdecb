import { createHash } from "node:crypto";
import { spellingsOf } from "../../base/address";
import type { Connection } from "../../base/connection";

/** The output that holds the digest of base URL and tenant; in state without inputs, its absence marks an object that was only read (`X.get`). */
export const ORIGIN = "__origin";
/** The output that shows whether an object was last seen with the present key. */
export const KEY_MARK = "__keyMark";
/** Where an object is, and with which key it was seen. */
export interface Provenance {
  readonly origin: string;
  readonly keyMark: string | undefined;
}

/** A short digest of where an object lives: base URL and tenant. Kept in outputs (docs/internals/design.md, Origin). */
export function originOf(baseUrl: string, tenantId: string | undefined): string {
  return digest(`${baseUrl.toLowerCase()}\n${tenantId ?? ""}`, 12);
}

/** The origins that a state may have of an object at this connection, in whichever spelling of its addresses. */
export const originsOf = ({ baseUrl, sandboxBaseUrl }: Connection, tenantId: string | undefined): string[] =>
  [baseUrl, sandboxBaseUrl].flatMap(spellingsOf).map((url) => originOf(url, tenantId));

/** A digest of the API key that sees an object there, far too short to reveal the key; undefined without a key (bearer tokens change by the hour). */
export function keyMarkOf(origin: string, apiKey: string | undefined): string | undefined {
  return apiKey === undefined ? undefined : digest(`${origin}\n${apiKey}`, 6);
}

/** The beginning of a text's SHA-256, in hexadecimal digits. */
export const digest = (text: string, length: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);
