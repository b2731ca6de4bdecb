import { SPECS } from "../base/managed-types";
import type { Surveyed } from "./survey";
import { withoutEnd } from "../../provider/base/plain-text";
import { showPath, valueAt } from "../../provider/lifecycle/fields/fields";

/** An object that needs a name in the program, and its name on the platform. */
interface NamedObject {
  readonly id: string;
  readonly name: string;
}

/** Words of ASCII letters and digits, dots and underscores between single hyphens, at most 100 characters. */
export function slug(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "");
  const words = plain.replace(/[^A-Za-z0-9._]+/g, "-").replace(/^[-._]+/, "");
  return withoutEnd(words.slice(0, 100), "-._");
}

/** `supportDesk` for `support-desk`, `modelApiKey` for `MODEL_API_KEY`; an underscore goes before a leading digit. */
export function camelCase(text: string): string {
  const words = /[a-z]/.test(text) ? text : text.toLowerCase();
  const [first = "", ...rest] = words.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = lowerFirst(first) + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return (/^\d/.test(joined) ? `_${joined}` : joined).slice(0, 60);
}

/** A unique name for each object, by its id: `form` applied to its current name, with a number if one before it has that name: a project is written once. */
export function uniqueNames(
  objects: readonly NamedObject[],
  form: (name: string) => string,
  separator: string,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id, name } of objects) {
    const wish = form(name);
    let unique = wish;
    for (let number = 2; taken.has(unique); number++) unique = `${wish}${separator}${number}`;
    names.set(id, unique);
    taken.add(unique);
  }
  return names;
}

const lowerFirst = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1);

/** An object, and what it is called in the program. */
export interface DeclaredObject {
  readonly object: Surveyed;
  /** Its name in Pulumi. */
  readonly name: string;
  readonly variable: string;
}

/** The names of all objects of a program: those in Pulumi are unique within a kind, the variables among all. */
export function declaredNames(objects: readonly Surveyed[]): DeclaredObject[] {
  return SPECS.flatMap((spec) => {
    const ofKind = objects.filter((object) => object.spec === spec);
    const names = uniqueNames(ofKind, (name) => slug(name) || slug(spec.many).toLowerCase(), "-");
    const nameOf = ({ id }: Surveyed): string => names.get(id) ?? id;
    const wishes = ofKind.map((object) => ({ id: object.id, name: nameOf(object) }));
    const variables = uniqueNames(wishes, camelCase, "_");
    return ofKind.map((object) => {
      // With the kind, so that no two kinds share a name, and no name is a reserved word.
      return { object, name: nameOf(object), variable: `${variables.get(object.id) ?? ""}${spec.kind}` };
    });
  });
}

/** The objects of the program to which this one refers by their ids, by the paths of those properties. */
export function referencesOf(
  { object: { spec, args } }: DeclaredObject,
  all: readonly DeclaredObject[],
): readonly (readonly [path: string, to: DeclaredObject])[] {
  return spec.references.flatMap(({ path, one }) => {
    const id = valueAt(args, path);
    const to = all.find(({ object }) => object.spec.one === one && object.id === id);
    return to === undefined ? [] : [[showPath(path), to] as const];
  });
}
