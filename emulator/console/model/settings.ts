import type { ShownSetting } from "../views";

/**
 * What is shown of an object's fields: plain values, and of anything deeper only how much there is. A volume, a sidecar or a label can
 * hold what nobody declared secret.
 */
export function settingRowsOf(fields: Readonly<Record<string, unknown>>, prefix = ""): readonly ShownSetting[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    return [{ path: prefix + name, value: shownValue(value) }];
  });
}

function shownValue(value: unknown): string {
  if (typeof value === "string") return value === "" ? "(empty)" : value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.length === 1 ? "1 item" : `${value.length} items`;
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return names.length === 0 ? "(empty)" : names.join(", ");
}
