import { isObject, isParsedJson, ownValue, type JsonObject, textOfJson } from "../../provider/base/json";
import { SIGNATURE } from "../../provider/base/engine-format";
import type { Path } from "../../provider/lifecycle/fields/fields";

/** Stands for every secret. */
export const SECRET = "[secret]";

/** One field in which two values differ. A side that does not have the field leaves its key out. */
export interface ChangedPath {
  readonly steps: Path;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The leaf paths in which two values of the engine differ, ordered by name, with all secrets masked. */
export function changedPaths(before: unknown, after: unknown, steps: Path = []): ChangedPath[] {
  if (isSecret(before) || isSecret(after)) {
    return equal(before, after) ? [] : [maskedPath(steps, before, after)];
  }
  if (isObject(before) && isObject(after)) return changedEntries(before, after, steps);
  if (equal(before, after)) return [];
  // If the two sides cannot be compared part by part, a secret of one side may be anywhere in the other.
  if (hasSecret(before) || hasSecret(after)) return [maskedPath(steps, before, after)];
  if (!isList(before) || !isList(after)) return [changed(steps, before, after)];
  const longer = before.length > after.length ? before : after;
  return longer.flatMap((_item, index) => changedPaths(before[index], after[index], [...steps, index]));
}

function changedEntries(before: JsonObject, after: JsonObject, steps: Path): ChangedPath[] {
  // The schema defines a resource's properties; below them the author chooses the keys.
  const secretive = steps.length > 0 && (hasSecret(before) || hasSecret(after));
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap((key) => {
    const below = [...steps, key];
    const [from, to] = [before, after].map((side) => ownValue(side, key));
    // A key on one side only may be a secret of the same map under another name.
    if (secretive && (from === undefined) !== (to === undefined)) return [maskedPath(below, from, to)];
    return changedPaths(from, to, below);
  });
}

/** Where the secrets of a value are. */
export function secretsIn(value: unknown, steps: Path = []): Path[] {
  if (isSecret(value)) return [steps];
  if (isList(value)) return value.flatMap((item, index) => secretsIn(item, [...steps, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => secretsIn(item, [...steps, key]));
}

/** A value with each of its secrets as the text {@link SECRET}. */
export function withoutSecrets(value: unknown): unknown {
  if (isSecret(value)) return SECRET;
  if (isList(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item)]));
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isSecret = (value: unknown): boolean => value === SECRET || (isObject(value) && SIGNATURE in value);
const hasSecret = (value: unknown): boolean => secretsIn(value).length > 0;

const changed = (steps: Path, before: unknown, after: unknown): ChangedPath => ({
  steps,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});

/** A change of which neither value is shown. */
export const maskedPath = (steps: Path, before: unknown, after: unknown): ChangedPath =>
  changed(steps, before === undefined ? undefined : SECRET, after === undefined ? undefined : SECRET);

/** The order of keys changes on the way through the engine. */
const equal = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b);
const textOf = (value: unknown): string | undefined => (isParsedJson(value) ? textOfJson(value) : undefined);
