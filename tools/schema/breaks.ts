import { groupsOf, tokenName, type Group, type Property, type Schema } from "./shape";

/** What counts as a break, with how to make the change without one: the table of docs/support.md. */
export const BREAKS = {
  name: {
    what: "the name of the package, or of its Python or Go package, is another one: imports and tokens contain it",
    remedy: "Change it back.",
  },
  gone: {
    what: "a resource, a function or a type is gone, or has another token",
    remedy: "Keep it under its token; to rename it, add the new one beside it.",
  },
  goneProperty: {
    what: "an argument, an output or a setting is gone",
    remedy: "Keep it, and deprecate it; the provider may ignore it.",
  },
  type: {
    what: "an argument or an output has another type, or takes more types than before: compiled programs name it",
    remedy: "Keep its type; add another property.",
  },
  secret: {
    what: "an output is no longer secret",
    remedy: "Keep it secret: states and logs would show its value.",
  },
  demanded: {
    what: "an argument is now required, old or new",
    remedy: "Give it a default, and leave it optional.",
  },
  lost: {
    what: "an output that was always there may now be missing",
    remedy: "Always set it, or add another property.",
  },
} as const;

/** A change of the schema that breaks programs which use the released one. */
export interface Break {
  /** What it is about, as the changelog has to name it: "Deployment.source". */
  readonly about: string;
  readonly kind: keyof typeof BREAKS;
  readonly problem: string;
}

/** Every change that would break a program, and no addition. */
export function breaksOf(released: Schema, current: Schema): Break[] {
  const now = groupsOf(current);
  const groups = [...groupsOf(released)].flatMap(([key, group]) => {
    const same = now.get(key);
    return same === undefined ? [] : groupBreaks(key, group, same);
  });
  return [...identityBreaks(released, current), ...removed(released, current), ...groups];
}

/** Names that programs write down: in their imports, and in every token. */
function identityBreaks(released: Schema, current: Schema): Break[] {
  const names: readonly (readonly [about: string, of: (schema: Schema) => string])[] = [
    ["name", ({ name }) => name],
    ["meta.moduleFormat", ({ meta }) => meta.moduleFormat],
    ["language.python.packageName", ({ language }) => language.python.packageName],
    ["language.go.importBasePath", ({ language }) => language.go.importBasePath],
  ];
  return names
    .filter(([, of]) => of(released) !== of(current))
    .map(([about, of]) => ({
      about,
      kind: "name",
      problem: `it was "${of(released)}" and is "${of(current)}", but imports and tokens contain it`,
    }));
}

function removed(released: Schema, current: Schema): Break[] {
  const kinds = ["resources", "functions", "types"] as const;
  return kinds.flatMap((kind) =>
    Object.keys(released[kind])
      .filter((token) => !(token in current[kind]))
      .map((token) => ({
        about: tokenName(token),
        kind: "gone" as const,
        problem: `${token} is gone from the ${kind}`,
      })),
  );
}

function groupBreaks(key: string, before: Group, after: Group): Break[] {
  const taken = before.sides.includes("in") && after.sides.includes("in");
  const shown = before.sides.includes("out") && after.sides.includes("out");
  const broken = (kind: Break["kind"], name: string, problem: string): Break => ({
    about: `${before.owner}.${name}`,
    kind,
    problem: `${key}: ${name} ${problem}`,
  });
  const properties = Object.entries(before.properties).flatMap(([name, property]) => {
    const same = after.properties[name];
    if (same === undefined) return [broken("goneProperty", name, "is gone")];
    const isOther = typeOf(property) !== typeOf(same);
    return [
      ...(isOther ? [broken("type", name, `was ${typeOf(property)} and is ${typeOf(same)}`)] : []),
      ...(shown && property.secret && !same.secret ? [broken("secret", name, "is no longer secret")] : []),
    ];
  });
  const demanded = taken ? after.required.filter((name) => !before.required.includes(name)) : [];
  const lost = shown
    ? before.required.filter((name) => name in after.properties && !after.required.includes(name))
    : [];
  return [
    ...properties,
    ...demanded.map((name) => broken("demanded", name, "is now required")),
    ...lost.map((name) => broken("lost", name, "may now be missing")),
  ];
}

/** A property's type alone, as text. */
const typeOf = ({ type, $ref, items, additionalProperties, oneOf }: Property): string =>
  JSON.stringify({ type, $ref, items, additionalProperties, oneOf });

/** What decides whether breaks are meant. */
export interface Release {
  /** The version of the package. */
  readonly version: string;
  readonly changelog: string;
}

/** The breaks that a release does not mean: it means those that the changelog of its new major version names, as `Deployment.source`. */
export function unmeant(breaks: readonly Break[], released: Schema, { version, changelog }: Release): Break[] {
  if (major(version) <= major(released.version)) return [...breaks];
  const section = changelog.split(/^## /m).find((each) => each.split("\n")[0]?.trim() === version) ?? "";
  return breaks.filter(({ about }) => !section.includes(`\`${about}\``));
}

const major = (version: string): number => Number(version.split(".")[0]);

/** A break, for the person who made it. */
export const showBreak = ({ about, kind, problem }: Break): string => `${about}: ${problem}. ${BREAKS[kind].remedy}`;
