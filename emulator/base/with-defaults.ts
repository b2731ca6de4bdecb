/** The options of a room, each with its default where it is left out or undefined. Takes nothing else from what is given. */
export function withDefaults<T extends object>(defaults: T, given: Partial<T>): T {
  const set = Object.entries(given).filter(([name, value]) => name in defaults && value !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
}
