/** Runs a task for each item, at most `most` at a time, started in order. The results are in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  most: number,
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // All take from one queue.
  const queue = items.entries();
  const take = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, take));
  return results;
}
