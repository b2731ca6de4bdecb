/** The items in groups with an equal key, in the order in which each first comes. */
export function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): [Item, ...Item[]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
