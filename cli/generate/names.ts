import { SPECS } from "../base/managed-types";
import type { Surveyed } from "./survey";
import { withoutEnd } from "../../provider/base/plain-text";
import { showPath, valueAt } from "../../provider/lifecycle/fields/fields";

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

/** The texts, each with a number behind it if one before it is the same: a project is written once. */
export function numbered(texts: readonly string[], separator: string): string[] {
  const taken = new Set<string>();
  for (const text of texts) {
    let unique = text;
    for (let number = 2; taken.has(unique); number++) unique = `${text}${separator}${number}`;
    taken.add(unique);
  }
  return [...taken];
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
    const wishes = ofKind.map(({ name }) => slug(name) || slug(spec.many).toLowerCase());
    const names = numbered(wishes, "-");
    const variables = numbered(names.map(camelCase), "_");
    return ofKind.map((object, at) => ({
      object,
      name: names[at] ?? "",
      // With the kind, so that no two kinds share a name, and no name is a reserved word.
      variable: `${variables[at] ?? ""}${spec.kind}`,
    }));
  });
}

/** The objects of the program to which this one refers by their ids, by the paths of those properties. */
export function referencesOf(
  { object: { spec, args } }: DeclaredObject,
  all: readonly DeclaredObject[],
): readonly (readonly [path: string, to: DeclaredObject])[] {
  return (spec.references ?? []).flatMap(({ path, one }) => {
    const id = valueAt(args, path);
    const to = all.find(({ object }) => object.spec.one === one && object.id === id);
    return to === undefined ? [] : [[showPath(path), to] as const];
  });
}
