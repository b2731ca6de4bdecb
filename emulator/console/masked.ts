import type { KnownSecrets } from "./known-secrets";

/** What a page needs whole to work; none of it is a client's own text. */
const STRUCTURE = new Set(["id", "status", "off", "release", "method", "collection", "phase"]);

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
  // A parameter of a query ends at its =, which may stand in a secret.
  return STRUCTURE.has(name) ? text : secrets.mask(text, name === "parameter");
}
