import { createHash } from "node:crypto";

/** A short digest of where an object lives: base URL and tenant. Kept in outputs (docs/internals/design.md, Origin). */
export function originOf(baseUrl: string, tenantId: string | undefined): string {
  return digest(`${baseUrl.toLowerCase()}\n${tenantId ?? ""}`, 12);
}

/** A digest of the API key that sees an object there, far too short to reveal the key; undefined without a key (bearer tokens change by the hour). */
export function keyMarkOf(origin: string, apiKey: string | undefined): string | undefined {
  return apiKey === undefined ? undefined : digest(`${origin}\n${apiKey}`, 6);
}

/** The beginning of a text's SHA-256, in hexadecimal digits. */
export const digest = (text: string, length: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);
