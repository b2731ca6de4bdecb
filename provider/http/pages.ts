import type { Answer } from "./client";

/** One page of an offset-paged list. `offset` is what the platform returns; see {@link pages}. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly offset: number | undefined;
}

/**
 * The items of a paged list, a page at a time as they are asked for, with the date of the page. The end is not documented (platform-facts.md, Sandbox
 * templates): an empty page, a short page, or an offset that does not advance ends the list; never an endless loop.
 */
export async function* pages<Item>(
  limit: number,
  fetch: (offset: number) => Promise<Answer<Page<Item>>>,
): AsyncGenerator<Answer<readonly Item[]>> {
  let offset = 0;
  for (;;) {
    const { data, date } = await fetch(offset);
    yield { data: data.items, date };
    if (data.items.length < limit) return;
    // "Pass the returned offset in a following request": the next page begins there. A platform that returns none, counts.
    const next = data.offset ?? offset + data.items.length;
    if (next <= offset) return;
    offset = next;
  }
}
