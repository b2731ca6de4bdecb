import { z } from "zod";

/** One changed field. A side that does not have the field leaves its key out. */
export interface Field {
  /** Such as `environmentVariables.LEVEL` or `proxyConfig.rules[0].name`. */
  readonly path: string;
  readonly declared?: unknown;
  readonly live?: unknown;
}

/** Stands for every secret. */
export const SECRET = "[secret]";

/** The key that marks a secret in the engine's JSON, beside its `ciphertext`. */
const SECRET_MARK = "4dabf18193072939515e22adb298388d";

const Entries = z.record(z.string(), z.unknown());
const List = z.array(z.unknown());

/** The leaf paths in which two values of the engine differ, ordered by name, with all secrets masked. */
export function changedFields(declared: unknown, live: unknown, path = ""): Field[] {
  if (isSecret(declared) || isSecret(live)) {
    return equal(declared, live) ? [] : [masked(path, declared, live)];
  }
  const [from, to] = [Entries.safeParse(declared), Entries.safeParse(live)];
  if (from.success && to.success) return changedEntries(from.data, to.data, path);
  if (equal(declared, live)) return [];
  // If the two sides cannot be compared part by part, a secret of one may be anywhere in the other.
  if (hasSecret(declared) || hasSecret(live)) return [masked(path, declared, live)];
  const [before, after] = [List.safeParse(declared), List.safeParse(live)];
  if (!before.success || !after.success) return [field(path, declared, live)];
  const longer = before.data.length > after.data.length ? before.data : after.data;
  return longer.flatMap((_item, index) => changedFields(before.data[index], after.data[index], `${path}[${index}]`));
}

function changedEntries(declared: Record<string, unknown>, live: Record<string, unknown>, path: string): Field[] {
  // The schema defines a resource's properties; below them the author chooses the keys.
  const secretive = path !== "" && (hasSecret(declared) || hasSecret(live));
  const keys = [...new Set([...Object.keys(declared), ...Object.keys(live)])].sort();
  return keys.flatMap((key) => {
    const below = `${path}${step(key, path)}`;
    const [from, to] = [declared[key], live[key]];
    // A key on one side only may be a secret of the same map under another name.
    if (secretive && (from === undefined) !== (to === undefined)) return [masked(below, from, to)];
    return changedFields(from, to, below);
  });
}

/** The fields of a value that are secret: the engine masks both sides alike, so they cannot be compared. */
export function secretFields(value: unknown, path = ""): Field[] {
  if (isSecret(value)) return [{ path, declared: SECRET, live: SECRET }];
  const list = List.safeParse(value);
  if (list.success) return list.data.flatMap((item, index) => secretFields(item, `${path}[${index}]`));
  const map = Entries.safeParse(value);
  if (!map.success) return [];
  return Object.entries(map.data).flatMap(([key, item]) => secretFields(item, `${path}${step(key, path)}`));
}

function isSecret(value: unknown): boolean {
  const map = Entries.safeParse(value);
  return value === SECRET || (map.success && SECRET_MARK in map.data);
}

function hasSecret(value: unknown): boolean {
  return secretFields(value).length > 0;
}

const field = (path: string, declared: unknown, live: unknown): Field => ({
  path,
  ...(declared === undefined ? {} : { declared }),
  ...(live === undefined ? {} : { live }),
});

const masked = (path: string, declared: unknown, live: unknown): Field =>
  field(path, declared === undefined ? undefined : SECRET, live === undefined ? undefined : SECRET);

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

function step(key: string, path: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `[${JSON.stringify(key)}]`;
  return path === "" ? key : `.${key}`;
}
