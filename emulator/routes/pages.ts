import { wrong } from "../base/api-error";
import type { StoredRecord } from "../store/collection";
import type { ResponseSettings } from "./options";
import type { ApiRequest } from "./route";
import { queryInt } from "./validation";

/** How a list pages (docs/internals/platform.md, Lists). */
export interface Paging {
  /** The name of the items in an answer by offset; undefined if the list has no such answer. */
  readonly items: string | undefined;
  readonly mostItems: number;
  /** The limit of a request without one. With it, a client that never pages misses objects. */
  readonly usualItems: number;
  readonly hasCursors?: true;
}

export const RESOURCE_PAGES: Paging = { items: "resources", mostItems: 100, usualItems: 20 };
const CURSOR_PAGES = { mostItems: 100, usualItems: 20 };
const SANDBOX_PAGES = { mostItems: 500, usualItems: 50 };
export const TEMPLATE_PAGES: Paging = { items: "templates", ...SANDBOX_PAGES };
export const sandboxPages = (items?: string): Paging => ({ items, ...SANDBOX_PAGES, hasCursors: true });

/** The page that is asked for of all that is listed, and where the next one begins. */
export function pageAnswer<T extends StoredRecord>(
  request: ApiRequest,
  { pageSize, offsetsOnly }: ResponseSettings,
  paging: Paging,
  listed: readonly T[],
  show: (item: T) => unknown,
): Response {
  const { query } = request;
  const { items, mostItems, usualItems, hasCursors } = paging;
  const limitOf = (name: string, most: number, usual: number) =>
    Math.min(queryInt(query(name), name, 1, most, usual), pageSize);
  const isByCursor = hasCursors && (query("page_size") ?? query("cursor")) !== undefined && !offsetsOnly;
  if (isByCursor || items === undefined) {
    const limit = limitOf("page_size", CURSOR_PAGES.mostItems, CURSOR_PAGES.usualItems);
    const rest = behind(query("cursor"), listed);
    const page = rest.slice(0, limit);
    const last = rest.length > limit ? page.at(-1) : undefined;
    return Response.json({ items: page.map(show), next_cursor: last === undefined ? null : cursorOf(last) });
  }
  const limit = limitOf("limit", mostItems, usualItems);
  const offset = queryInt(query("offset"), "offset", 0, Number.MAX_SAFE_INTEGER, 0);
  const page = listed.slice(offset, offset + limit);
  const shown = page.map(show);
  // The newest clients read no other name, and ask for no page unless their user does.
  const newer = hasCursors && !offsetsOnly ? { items: shown } : {};
  return Response.json({ [items]: shown, ...newer, offset: offset + page.length });
}

/** A cursor is a place in this order, so a page stays right if objects before it go or come. */
const placeOf = ({ created_at: created, id }: StoredRecord): string => `${created} ${id}`;
const cursorOf = (record: StoredRecord): string => Buffer.from(placeOf(record)).toString("base64url");

function behind<T extends StoredRecord>(cursor: string | undefined, listed: readonly T[]): readonly T[] {
  const place = Buffer.from(cursor ?? "", "base64url").toString();
  if (cursor !== undefined && !/^\d{4}-\S+Z \S+$/.test(place))
    throw wrong(["query", "cursor"], "Input should be a next_cursor");
  return listed
    .filter((record) => placeOf(record) > place)
    .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}
