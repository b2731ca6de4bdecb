/** The options of a room: the given ones, and the defaults for those that are omitted or undefined. Unknown options are dropped. */
export function withDefaults<T extends object>(defaults: T, given: Partial<T>): T {
  const set = Object.entries(given).filter(([name, value]) => name in defaults && value !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
}
