import { FALLBACK_ROWS, SPECIFIC_ROWS, type IdentityKey, type LimitRow, type RequestPattern } from "./limits-table";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** How closely a pattern describes the request, more is more specific; undefined unless it matches. */
function closeness(pattern: RequestPattern, method: string, path: string): number | undefined {
  if (pattern.method !== undefined && pattern.method !== method) return undefined;
  const byMethod = pattern.method === undefined ? 0 : 1;
  const { is, at, ends, contains } = pattern;
  if (is !== undefined) return path.replace(UUID, "{uuid}") === is ? 40_000 + is.length + byMethod : undefined;
  if (at !== undefined) return path === at || path.startsWith(`${at}/`) ? 30_000 + 2 * at.length + byMethod : undefined;
  if (ends !== undefined) return path.endsWith(ends) ? 20_000 + 2 * ends.length + byMethod : undefined;
  if (contains !== undefined) return path.includes(contains) ? 10_000 + 2 * contains.length + byMethod : undefined;
  // A bare method: OPTIONS. A preflight carries no key, so no other row would apply to it.
  return byMethod === 0 ? 0 : 50_000;
}

/** The row that governs a request with these identities: the most specific one. Source: docs/internals/platform.md, Limits. */
export function governingRowOf(method: string, path: string, has: (identity: IdentityKey) => boolean): LimitRow {
  let found: { row: LimitRow; closeness: number } | undefined;
  for (const row of [...SPECIFIC_ROWS, ...FALLBACK_ROWS]) {
    if (!has(row.identity)) continue;
    for (const pattern of row.match) {
      const close = closeness(pattern, method, path);
      if (close !== undefined && close > (found?.closeness ?? -1)) found = { row, closeness: close };
    }
  }
  if (found === undefined) throw new Error("No row of the limits table holds for every request.");
  return found.row;
}
