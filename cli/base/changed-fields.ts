import { z } from "zod";
import { SIGNATURE } from "../../provider/base/engine-format";
import type { Path } from "../../provider/lifecycle/fields/fields";

/** One field in which two values differ. A side that does not have the field leaves its key out. */
export interface ChangedField {
  /** Such as `environmentVariables.LEVEL` or `proxyConfig.rules[0].name`. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Stands for every secret. */
export const SECRET = "[secret]";

const Entries = z.record(z.string(), z.unknown());
const List = z.array(z.unknown());

/** A field in which two values differ, by the steps of its path. */
export interface ChangedPath extends Omit<ChangedField, "path"> {
  readonly steps: Path;
}

/** The leaf paths in which two values of the engine differ, ordered by name, with all secrets masked. */
export function changedFields(before: unknown, after: unknown, path: Path = []): ChangedField[] {
  return changedPaths(before, after, path).map(({ steps, ...sides }) => ({ path: pathText(steps), ...sides }));
}

/** The same, each by the steps of its path. */
export function changedPaths(before: unknown, after: unknown, steps: Path = []): ChangedPath[] {
  if (isSecret(before) || isSecret(after)) {
    return equal(before, after) ? [] : [masked(steps, before, after)];
  }
  const [from, to] = [Entries.safeParse(before), Entries.safeParse(after)];
  if (from.success && to.success) return changedEntries(from.data, to.data, steps);
  if (equal(before, after)) return [];
  // If the two sides cannot be compared part by part, a secret of one may be anywhere in the other.
  if (hasSecret(before) || hasSecret(after)) return [masked(steps, before, after)];
  const [fromList, toList] = [List.safeParse(before), List.safeParse(after)];
  if (!fromList.success || !toList.success) return [changed(steps, before, after)];
  const longer = fromList.data.length > toList.data.length ? fromList.data : toList.data;
  return longer.flatMap((_item, index) => changedPaths(fromList.data[index], toList.data[index], [...steps, index]));
}

function changedEntries(before: Record<string, unknown>, after: Record<string, unknown>, steps: Path): ChangedPath[] {
  // The schema defines a resource's properties; below them the author chooses the keys.
  const secretive = steps.length > 0 && (hasSecret(before) || hasSecret(after));
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap((key) => {
    const below = [...steps, key];
    const [from, to] = [before[key], after[key]];
    // A key on one side only may be a secret of the same map under another name.
    if (secretive && (from === undefined) !== (to === undefined)) return [masked(below, from, to)];
    return changedPaths(from, to, below);
  });
}

/** The fields of a value that are secret: the engine masks both sides alike, so they cannot be compared. */
export function secretFields(value: unknown): ChangedField[] {
  return secretsIn(value, []).map((steps) => ({ path: pathText(steps), before: SECRET, after: SECRET }));
}

function secretsIn(value: unknown, steps: Path): Path[] {
  if (isSecret(value)) return [steps];
  const list = List.safeParse(value);
  if (list.success) return list.data.flatMap((item, index) => secretsIn(item, [...steps, index]));
  const map = Entries.safeParse(value);
  if (!map.success) return [];
  return Object.entries(map.data).flatMap(([key, item]) => secretsIn(item, [...steps, key]));
}

/** A value with each of its secrets as the text {@link SECRET}. */
export function withoutSecrets(value: unknown): unknown {
  if (isSecret(value)) return SECRET;
  const list = List.safeParse(value);
  if (list.success) return list.data.map(withoutSecrets);
  const map = Entries.safeParse(value);
  if (!map.success) return value;
  return Object.fromEntries(Object.entries(map.data).map(([key, item]) => [key, withoutSecrets(item)]));
}

function isSecret(value: unknown): boolean {
  const map = Entries.safeParse(value);
  return value === SECRET || (map.success && SIGNATURE in map.data);
}

function hasSecret(value: unknown): boolean {
  return secretsIn(value, []).length > 0;
}

const changed = (steps: Path, before: unknown, after: unknown): ChangedPath => ({
  steps,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});

const masked = (steps: Path, before: unknown, after: unknown): ChangedPath =>
  changed(steps, before === undefined ? undefined : SECRET, after === undefined ? undefined : SECRET);

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

/** Sorts keys, whose order changes on the way through the engine. */
function sorted(value: unknown): unknown {
  const list = List.safeParse(value);
  if (list.success) return list.data.map(sorted);
  const map = Entries.safeParse(value);
  if (!map.success) return value;
  return Object.entries(map.data)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}

/** A path as reports write it: `environmentVariables.LEVEL`, `proxyConfig.rules[0].name`. */
export function pathText(steps: Path): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === "number") return `${path}[${step}]`;
    if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `${path}[${JSON.stringify(step)}]`;
    return path === "" ? step : `${path}.${step}`;
  }, "");
}
