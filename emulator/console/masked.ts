import type { KnownSecrets } from "./known-secrets";

/** What a page needs whole to work; none of it is a client's own text. */
const STRUCTURE = new Set(["kind", "id", "status", "off", "release", "method", "collection", "phase"]);
/** How much is shown of what a client may write at any length. It may have been cut at that length when it came. */
const LONGEST: ReadonlyMap<string, number> = new Map([
  ["client", 80],
  ["path", 1024],
]);

/**
 * A view without any known secret in its texts. The one door to a page: views hold whole texts, and whatever is cut, encoded or put together of
 * them is so behind it.
 */
export function masked<T>(view: T, secrets: KnownSecrets): T;
export function masked(view: unknown, secrets: KnownSecrets): unknown {
  if (typeof view === "string") return secrets.mask(view);
  if (Array.isArray(view)) return view.map((item: unknown) => masked(item, secrets));
  if (typeof view !== "object" || view === null) return view;
  return Object.fromEntries(
    Object.entries(view).map(([name, value]) => [
      name,
      typeof value === "string" ? shown(name, value, secrets) : masked<unknown>(value, secrets),
    ]),
  );
}

function shown(name: string, text: string, secrets: KnownSecrets): string {
  if (STRUCTURE.has(name)) return text;
  const longest = LONGEST.get(name) ?? Infinity;
  // A parameter of a query ends at its =, which may stand in a secret.
  const safe = secrets.mask(text, text.length >= longest || name === "parameter");
  return safe.length > longest ? `${safe.slice(0, longest)}…` : safe;
}
