import { z } from "zod";
import type { Exchange } from "../base/exchange";
import { readJson } from "../base/json-text";
import type { Fault } from "./fault";

/** Sends a request to the routes again, with the current or with other stored data, without passing the layers. */
export type Refetch = (exchange: Exchange, stored?: Readonly<Record<string, readonly unknown[]>>) => Promise<Response>;

export type ListFault = Extract<Fault, { kind: "duplicate-page" | "stuck-offset" | "short-page" | "ignored-offset" }>;

/** A list as the platform answers it: bare, or in an object beside the offset of the next page. */
interface Page {
  readonly items: readonly unknown[];
  /** undefined when the list has no pages, or pages by cursor. */
  readonly next: number | undefined;
  /** The same answer with other items and another offset. */
  with(items: readonly unknown[], next: number): unknown;
}

/** A page as it was asked for. */
interface Asked {
  readonly page: Page;
  readonly offset: number;
  readonly limit: number | undefined;
  /** Another page of the same list; undefined for an empty one. */
  readonly at: (offset: number) => Promise<Page | undefined>;
}

const bareList = z.array(z.unknown());
const cursorList = z.looseObject({ items: bareList, next_cursor: z.string().nullable() });
const pagedList = z.looseObject({ offset: z.number() });

/** The page, or undefined unless the answer is a list. */
async function pageOf(response: Response): Promise<Page | undefined> {
  if (response.status !== 200) return undefined;
  // Another fault may have made it no JSON.
  const { value: body } = readJson(await response.clone().text());
  const bare = bareList.safeParse(body);
  if (bare.success) return { items: bare.data, next: undefined, with: (items) => items };
  const { data: byCursor } = cursorList.safeParse(body);
  if (byCursor) return { items: byCursor.items, next: undefined, with: (items) => ({ ...byCursor, items }) };
  const { data: paged } = pagedList.safeParse(body);
  if (paged === undefined) return undefined;
  for (const [name, value] of Object.entries(paged)) {
    const { data: items } = bareList.safeParse(value);
    if (items) return { items, next: paged.offset, with: (other, next) => ({ ...paged, [name]: other, offset: next }) };
  }
  return undefined;
}

/** The body of the spoiled answer; undefined where there is nothing to spoil. All but repeated items need a list with pages. */
export async function spoiledList(
  kind: ListFault["kind"],
  exchange: Exchange,
  response: Response,
  refetch: Refetch,
): Promise<unknown> {
  const page = await pageOf(response);
  if (page === undefined || (page.next === undefined && kind !== "duplicate-page")) return undefined;
  const { searchParams } = exchange.url;
  const limit = searchParams.get(page.next === undefined ? "page_size" : "limit");
  return SPOILED[kind]({
    page,
    offset: Number(searchParams.get("offset") ?? 0),
    limit: limit === null ? undefined : Number(limit),
    at: async (offset) => {
      const url = new URL(exchange.url);
      url.searchParams.set("offset", String(offset));
      const found = await pageOf(await refetch({ ...exchange, url }));
      return found?.items.length === 0 ? undefined : found;
    },
  });
}

const SPOILED: Readonly<Record<ListFault["kind"], (asked: Asked) => Promise<unknown>>> = {
  /**
   * Repeated items: every page except the first returns the previous page, and the first one repeats its items as far as its
   * limit allows. A client that continues until an empty page misses nothing.
   */
  "duplicate-page": async ({ page, offset, limit, at }) => {
    if (offset > 0) {
      const shift = limit ?? page.items.length;
      const before = shift === 0 ? undefined : await at(Math.max(0, offset - shift));
      return before && page.with(before.items, offset + before.items.length);
    }
    const items = [...page.items, ...page.items].slice(0, limit ?? Infinity);
    return items.length > page.items.length ? page.with(items, page.next ?? 0) : undefined;
  },
  /** The first page at every offset, together with the offset of the request. */
  "stuck-offset": async ({ offset, at }) => {
    const first = await at(0);
    return first?.with(first.items, offset);
  },
  /**
   * The list as if each full page ended with a hidden row: the page has one item fewer, but its offset counts the row. A client that continues until an
   * empty page misses nothing. A page has to have two items or more.
   */
  "short-page": async ({ page, offset, at }) => {
    const full = (await at(0))?.items.length ?? 0;
    if (full < 2) return undefined;
    const shifted = await at(offset - Math.floor(offset / full));
    const room = full - 1 - (offset % full);
    const items = (shifted?.items ?? []).slice(0, room);
    return page.with(items, offset + items.length + (items.length === room ? 1 : 0));
  },
  /** The first page at every offset, together with the offset that the right page would have. */
  "ignored-offset": async ({ offset, at }) => {
    const first = offset === 0 ? undefined : await at(0);
    return first?.with(first.items, offset + first.items.length);
  },
};
