import type { KnownSecrets } from "./known-secrets";

/** What a page needs whole to work; none of it is a client's own text. */
const STRUCTURE = new Set(["kind", "id", "status", "off", "release", "older", "method", "collection", "phase"]);

/** A view without any known secret in its texts. */
export function masked<T>(view: T, secrets: KnownSecrets): T;
export function masked(view: unknown, secrets: KnownSecrets): unknown {
  if (typeof view === "string") return secrets.mask(view);
  if (Array.isArray(view)) return view.map((item: unknown) => masked(item, secrets));
  if (typeof view !== "object" || view === null) return view;
  return Object.fromEntries(
    Object.entries(view).map(([name, value]) => [
      name,
      STRUCTURE.has(name) && typeof value === "string" ? value : masked<unknown>(value, secrets),
    ]),
  );
}
