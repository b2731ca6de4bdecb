import { createHash } from "node:crypto";

/** What a name is for: an object, and the name that it would like to have. */
export interface Wish {
  readonly id: string;
  readonly name: string;
}

/** Words of ASCII letters and digits, dots and underscores between single hyphens, at most `longest` characters. */
export function slug(text: string, longest = 100): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "");
  const words = plain.replace(/[^A-Za-z0-9._]+/g, "-").replace(/^[-._]+/, "");
  return words.slice(0, longest).replace(/[-._]+$/, "");
}

/** `supportDesk` for `support-desk`; begins with a letter or an underscore where the text does not. */
export function camelCase(text: string, longest = 60): string {
  const [first = "", ...rest] = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = lowerFirst(first) + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return (/^\d/.test(joined) ? `_${joined}` : joined).slice(0, longest);
}

/**
 * A name for each object, by its id: its wish, brought into the form; where several come to the same one, it is the one's who wished
 * for exactly that, and the others get a digest of their id behind it. So an object that is made later renames none with such a name.
 */
export function uniqueNames(
  wishes: readonly Wish[],
  form: (name: string) => string,
  separator: string,
): ReadonlyMap<string, string> {
  const groups = new Map<string, Wish[]>();
  for (const wish of wishes) groups.set(form(wish.name), [...(groups.get(form(wish.name)) ?? []), wish]);
  const names = new Map<string, string>();
  const rest: Wish[] = [];
  for (const [name, group] of groups) {
    const exact = group.length === 1 ? group : group.filter((wish) => wish.name === name);
    const owner = exact.length === 1 ? exact[0] : undefined;
    if (owner) names.set(owner.id, name);
    rest.push(...group.filter((wish) => wish !== owner));
  }
  const taken = new Set(names.values());
  for (const { id, name } of rest) {
    const digest = createHash("sha256").update(id).digest("hex");
    const candidate = (length: number): string => form(name) + separator + digest.slice(0, length);
    let length = 6;
    while (taken.has(candidate(length))) length++;
    names.set(id, candidate(length));
    taken.add(candidate(length));
  }
  return names;
}

const lowerFirst = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1);
