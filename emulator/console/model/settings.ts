import { wireName } from "../../../provider/lifecycle/fields/rename";
import type { Shape } from "../../../provider/lifecycle/fields/table";
import { RESOURCES } from "../../../provider/resources/registry";
import type { ResourceType } from "../../../provider/resources/resource-types";

/** A setting of an object, by its path. */
export interface ShownSetting {
  readonly path: string;
  readonly value: string;
  /** Its path on the wire, where that is another one. */
  readonly wire?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * What is shown of an object's fields: plain values, and of anything deeper only how much there is. A volume, a sidecar or a label can
 * hold what nobody declared secret.
 */
export function settingRowsOf(fields: Fields, prefix = ""): readonly ShownSetting[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    return [{ path: prefix + name, value: shownValue(value) }];
  });
}

/** For values that no answer shows: only that they exist. */
export const hiddenRowsOf = (fields: Fields): readonly ShownSetting[] =>
  Object.entries(fields).map(([path, value]) => ({ path, value: value === null ? "(none)" : "(set)" }));

function shownValue(value: unknown): string {
  if (typeof value === "string") return value === "" ? "(empty)" : value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.length === 1 ? "1 item" : `${value.length} items`;
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return names.length === 0 ? "(empty)" : names.join(", ");
}

/** A setting under the name that a program has for it, by the table of the resource. What that does not have keeps the platform's name. */
export function underProgramName(resource: ResourceType, { path, value }: ShownSetting): ShownSetting {
  const fields = { kind: "object", fields: RESOURCES[resource].table.fields } as const;
  const name = named(fields, path.split(".")).join(".");
  return { path: name, value, wire: name === path ? undefined : path };
}

function named(shape: Shape | undefined, path: readonly string[]): readonly string[] {
  const [step, ...rest] = path;
  if (step === undefined || shape === undefined) return path;
  if (shape.kind === "list" || shape.kind === "map") return [step, ...named(shape.of, rest)];
  if (shape.kind !== "object") return path;
  const [name, field] = Object.entries(shape.fields).find(([key, each]) => wireName(key, each) === step) ?? [step];
  return [name, ...named(field?.type, rest)];
}
