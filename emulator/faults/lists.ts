import { z } from "zod";
import type { Exchange } from "../base/exchange";

/** Sends a request to the routes again, with the current or with other stored data, without passing the layers. */
export type Refetch = (exchange: Exchange, stored?: Readonly<Record<string, readonly unknown[]>>) => Promise<Response>;

/** A list as the platform answers it: bare, or in an object beside the offset of the next page. */
interface Page {
  readonly items: readonly unknown[];
  /** undefined when the list has no pages. */
  readonly next: number | undefined;
  /** The same answer with other items and another offset. */
  with(items: readonly unknown[], next: number): unknown;
}

const bareList = z.array(z.unknown());
const pagedList = z.looseObject({ offset: z.number() });

/** The page, or undefined unless the answer is a list. */
async function pageOf(response: Response): Promise<Page | undefined> {
  if (response.status !== 200) return undefined;
  const body: unknown = await response.clone().json();
  const bare = bareList.safeParse(body);
  if (bare.success) return { items: bare.data, next: undefined, with: (items) => items };
  const paged = pagedList.safeParse(body);
  if (!paged.success) return undefined;
  for (const [name, value] of Object.entries(paged.data)) {
    const items = bareList.safeParse(value);
    if (items.success) {
      const { offset } = paged.data;
      return {
        items: items.data,
        next: offset,
        with: (other, next) => ({ ...paged.data, [name]: other, offset: next }),
      };
    }
  }
  return undefined;
}

function numberIn(exchange: Exchange, name: string): number | undefined {
  const text = exchange.url.searchParams.get(name);
  return text === null ? undefined : Number(text);
}

function atOffset(exchange: Exchange, offset: number): Exchange {
  const url = new URL(exchange.url);
  url.searchParams.set("offset", String(offset));
  return { ...exchange, url };
}

/**
 * Repeated items: every page except the first returns the previous page, and the first one repeats its items as far as its
 * limit allows. A client that continues until an empty page misses nothing. undefined when there is nothing to repeat.
 */
export async function duplicatePage(exchange: Exchange, response: Response, refetch: Refetch): Promise<unknown> {
  const page = await pageOf(response);
  if (page === undefined) return undefined;
  const limit = numberIn(exchange, "limit");
  const offset = numberIn(exchange, "offset") ?? 0;
  if (offset > 0) {
    const shift = limit ?? page.items.length;
    const before =
      shift === 0 ? undefined : await pageOf(await refetch(atOffset(exchange, Math.max(0, offset - shift))));
    if (before === undefined || before.items.length === 0) return undefined;
    return page.with(before.items, offset + before.items.length);
  }
  const items = [...page.items, ...page.items].slice(0, limit ?? Infinity);
  return items.length > page.items.length ? page.with(items, page.next ?? 0) : undefined;
}

/** The first page at every offset, together with the offset of the request. undefined unless the answer is a list with pages. */
export async function stuckOffset(exchange: Exchange, response: Response, refetch: Refetch): Promise<unknown> {
  const page = await pageOf(response);
  if (page?.next === undefined) return undefined;
  const first = await pageOf(await refetch(atOffset(exchange, 0)));
  if (first === undefined || first.items.length === 0) return undefined;
  return first.with(first.items, numberIn(exchange, "offset") ?? 0);
}

/**
 * The list as if each full page ended with a hidden row: the page has one item fewer, but its offset counts the row. A client that continues until an
 * empty page misses nothing. undefined unless the answer is a list with pages of two items or more.
 */
export async function shortPage(exchange: Exchange, response: Response, refetch: Refetch): Promise<unknown> {
  const page = await pageOf(response);
  if (page?.next === undefined) return undefined;
  const first = await pageOf(await refetch(atOffset(exchange, 0)));
  const full = first?.items.length ?? 0;
  if (full < 2) return undefined;
  const offset = numberIn(exchange, "offset") ?? 0;
  const shifted = await pageOf(await refetch(atOffset(exchange, offset - Math.floor(offset / full))));
  const room = full - 1 - (offset % full);
  const items = (shifted?.items ?? []).slice(0, room);
  return page.with(items, offset + items.length + (items.length === room ? 1 : 0));
}

/** The first page at every offset, together with the offset that the right page would have. undefined unless the answer is a list with pages. */
export async function ignoredOffset(exchange: Exchange, response: Response, refetch: Refetch): Promise<unknown> {
  const offset = numberIn(exchange, "offset") ?? 0;
  const page = await pageOf(response);
  if (page?.next === undefined || offset === 0) return undefined;
  const first = await pageOf(await refetch(atOffset(exchange, 0)));
  if (first === undefined || first.items.length === 0) return undefined;
  return first.with(first.items, offset + first.items.length);
}
