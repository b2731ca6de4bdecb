/** At most so many items of a list. @param maximum A whole number above 0, or Infinity. */
export async function* first<Item>(maximum: number, items: AsyncIterable<Item>): AsyncGenerator<Item, void, undefined> {
  let left = maximum;
  for await (const item of items) {
    yield item;
    // Checked before the next item is read, which could cost a page.
    left -= 1;
    if (left === 0) return;
  }
}
