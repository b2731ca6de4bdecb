import { AnswerError } from "../base/errors";
import type { Answer } from "./request";

/** No tenant has 100,000 objects of a type. */
const MOST_PAGES = 1000;

/** One page of an offset-paged list. `offset` is what the platform returns; see {@link pages}. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly offset: number | undefined;
}

/**
 * The items of a paged list, each once, a page at a time on demand, with the date of the page. How a list ends is not documented
 * (docs/internals/platform.md, Lists), so only this ends it:
 * - an empty page, or an answered offset that does not advance;
 * - a short page from a platform that returns no offset. If it returns one, a short page may have left an item out, so the next one is requested.
 *
 * A page without new items is a duplicate, or the platform ignores `offset`. It is requested again; if it still has nothing new, the list continues
 * after it, and returns to it at the end. If the page after it has nothing new either, the list has ended if that page is short. A full page means that
 * the rest cannot be read, so absence from the list would prove nothing: that is an {@link AnswerError}, and so is a list that never ends.
 * @param idOf Two items with the same id are the same item.
 */
export async function* pages<Item>(
  limit: number,
  fetch: (offset: number) => Promise<Answer<Page<Item>>>,
  idOf: (item: Item) => string,
): AsyncGenerator<Answer<readonly Item[]>> {
  const seen = new Set<string>();
  const skipped: number[] = [];
  let asked = 0;
  const take = async (offset: number) => {
    if (asked++ === MOST_PAGES) throw endless("GET", `?limit=${limit}&offset=${offset}`, MOST_PAGES);
    const { data, date } = await fetch(offset);
    const fresh = data.items.filter((item) => !seen.has(idOf(item)) && seen.add(idOf(item)));
    return { page: data, fresh: { data: fresh, date }, next: nextOffset(data, offset, limit) };
  };
  let repeated = 0;
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { page, fresh, next } = await take(offset);
    if (page.items.length === 0) break;
    if (fresh.data.length > 0) {
      yield fresh;
      repeated = 0;
      offset = next;
      continue;
    }
    repeated += 1;
    if (repeated === 1) continue;
    if (repeated === 2 && next !== undefined) {
      skipped.push(offset);
      offset = next;
    } else if (page.items.length < limit) break;
    else throw repeatsItself(`?limit=${limit}&offset=${offset}`, "the platform ignores offset");
  }
  for (const offset of skipped) {
    const { fresh } = await take(offset);
    if (fresh.data.length > 0) yield fresh;
  }
}

/** One page of a list by cursor. `next` is where the next one begins; undefined on the last. */
interface CursorPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

/**
 * The same of a list by cursor (docs/internals/platform.md, Lists), which only a page without a next cursor ends. A cursor that comes again is an
 * {@link AnswerError}. Returns false if the platform has no such list: its first answer is none of a page by cursor.
 */
export async function* cursorPages<Item>(
  limit: number,
  fetch: (cursor: string | undefined) => Promise<Answer<CursorPage<Item> | undefined>>,
  idOf: (item: Item) => string,
): AsyncGenerator<Answer<readonly Item[]>, boolean> {
  const seen = new Set<string>();
  const followed = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const { data: page, date } = await fetch(cursor);
    if (page === undefined) return false;
    const fresh = page.items.filter((item) => !seen.has(idOf(item)) && seen.add(idOf(item)));
    if (fresh.length > 0) yield { data: fresh, date };
    cursor = page.next;
    if (cursor === undefined) return true;
    const path = `?page_size=${limit}`;
    if (followed.has(cursor)) throw repeatsItself(path, "its cursor does not advance");
    if (followed.add(cursor).size === MOST_PAGES) throw endless("GET", path, MOST_PAGES);
  }
}

/** Where the next page begins; undefined if nothing indicates one. */
function nextOffset<Item>({ items, offset }: Page<Item>, asked: number, limit: number): number | undefined {
  // The documentation says to pass on the returned offset. If the platform returns none, count the items.
  if (offset === undefined) return items.length < limit ? undefined : asked + items.length;
  return offset > asked ? offset : undefined;
}

const repeatsItself = (path: string, why: string): AnswerError =>
  new AnswerError(
    "GET",
    path,
    200,
    `the list repeats itself: ${why}, and what comes after the first page cannot be read`,
  );

/** The error of a list that always has a next page with something new. */
export const endless = (method: string, path: string, count: number): AnswerError =>
  new AnswerError(
    method,
    path,
    200,
    `the list has no end: ${count} pages have brought something new, and there is one more`,
  );
