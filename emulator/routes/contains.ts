/** Whether a JSON value has all that is wanted: of an object the wanted keys, of an array the wanted items, of the rest the same. */
export function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  if (typeof value !== "object" || value === null || Array.isArray(value) !== Array.isArray(wanted)) return false;
  if (Array.isArray(wanted)) {
    return wanted.every((item) => Object.values(value).some((candidate) => contains(candidate, item)));
  }
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(wanted).every(([name, item]) => fields.has(name) && contains(fields.get(name), item));
}
