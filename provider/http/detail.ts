import { z } from "zod";
import { jsonIn } from "../base/json";
import { safeText, Spellings } from "../base/masker";

const ValidationError = z.object({ loc: z.array(z.union([z.string(), z.number()])).catch([]), msg: z.string() });
const Body = z.object({
  detail: z.union([
    z.string(),
    z.array(ValidationError),
    z.object({ error: z.string().optional(), message: z.string() }),
  ]),
});

const LONGEST = 400;
/** No error of the platform is longer. Of a longer body only the beginning is read, as text: zod would keep each of a million things that are wrong with it. */
const LONGEST_BODY = 256 * 1024;

/**
 * The message of an error answer in one line, whatever its shape (docs/internals/platform.md, Errors): `detail` as text, object or
 * list, plain text, a proxy's HTML.
 * @param secrets The texts that the request sent for a graph; secrets that the process knows are always removed.
 */
export function detailOf(body: string, secrets: readonly string[] = []): string {
  const also = new Spellings(secrets);
  const parsed = read(body);
  const said = parsed.success
    ? showDetail(parsed.data.detail)
    : withoutTags(safeText(body.slice(0, LONGEST_BODY), also));
  const message = safeText(said, also).replace(/\s+/g, " ").trim();
  return message.length > LONGEST ? `${message.slice(0, LONGEST)}...` : message;
}

/**
 * Whether an error answer has the shape of the platform's own: JSON with a `detail`. Anything else comes from a gateway, whose 404
 * says nothing about an object; so does problem+json, which has a `detail` too.
 */
export function isPlatformsOwn(body: string, contentType: string): boolean {
  return !/^\s*application\/problem\+json\b/i.test(contentType) && read(body).success;
}

const read = (body: string) => Body.safeParse(body.length > LONGEST_BODY ? undefined : jsonIn(body));

function showDetail(detail: z.infer<typeof Body>["detail"]): string {
  if (typeof detail === "string") return detail;
  if (!Array.isArray(detail)) return detail.error ? `${detail.error}: ${detail.message}` : detail.message;
  return detail.map(({ loc, msg }) => `${loc.filter((step) => step !== "body").join(".")}: ${msg}`).join("; ");
}

function withoutTags(body: string): string {
  return body
    .slice(0, 10 * LONGEST)
    .replace(/<(script|style)\b[^]*?<\/\1>/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
