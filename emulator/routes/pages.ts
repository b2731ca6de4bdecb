import type { ResponseSettings } from "./options";
import type { ApiRequest } from "./route";
import { queryInt } from "./validation";

/** How a list pages (docs/internals/platform.md, Lists). */
interface Paging {
  /** The name of the items in the answer. */
  readonly items: string;
  readonly mostItems: number;
  /** The limit of a request without one. With it, a client that never pages misses objects. */
  readonly usualItems: number;
}

export const RESOURCE_PAGES: Paging = { items: "resources", mostItems: 100, usualItems: 20 };
export const sandboxPages = (items: string): Paging => ({ items, mostItems: 500, usualItems: 50 });

/** The page that is asked for of all that is listed, and the offset of the next one. */
export function pageAnswer<T>(
  { query }: ApiRequest,
  { pageSize }: ResponseSettings,
  { items, mostItems, usualItems }: Paging,
  listed: readonly T[],
  show: (item: T) => unknown,
): Response {
  const limit = queryInt(query("limit"), "limit", 1, mostItems, usualItems);
  const offset = queryInt(query("offset"), "offset", 0, Number.MAX_SAFE_INTEGER, 0);
  const page = listed.slice(offset, offset + Math.min(limit, pageSize));
  return Response.json({ [items]: page.map(show), offset: offset + page.length });
}
