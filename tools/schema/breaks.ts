import { groupsOf, tokenName, type Group, type Property, type Schema } from "./shape";

/** A change of the schema that breaks programs which use the released one. */
export interface Break {
  /** What it is about, as the changelog has to name it: "Deployment.source". */
  readonly about: string;
  readonly problem: string;
  /** How to make the change without breaking programs. */
  readonly remedy: string;
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
      problem: `it was "${of(released)}" and is "${of(current)}", but imports and tokens contain it`,
      remedy: "Change it back.",
    }));
}

function removed(released: Schema, current: Schema): Break[] {
  const kinds = ["resources", "functions", "types"] as const;
  return kinds.flatMap((kind) =>
    Object.keys(released[kind])
      .filter((token) => !(token in current[kind]))
      .map((token) => ({
        about: tokenName(token),
        problem: `${token} is gone from the ${kind}`,
        remedy: "Keep it under its token; to rename it, add the new one beside it.",
      })),
  );
}

function groupBreaks(key: string, before: Group, after: Group): Break[] {
  const taken = before.sides.includes("in") && after.sides.includes("in");
  const shown = before.sides.includes("out") && after.sides.includes("out");
  const broken = (name: string, problem: string, remedy: string): Break => ({
    about: `${before.owner}.${name}`,
    problem: `${key}: ${problem}`,
    remedy,
  });
  const properties = Object.entries(before.properties).flatMap(([name, property]) => {
    const same = after.properties[name];
    if (same === undefined)
      return [broken(name, `${name} is gone`, "Keep it; the provider may ignore it with a warning.")];
    return [
      ...(typeOf(property) === typeOf(same)
        ? []
        : [
            broken(
              name,
              `${name} was ${typeOf(property)} and is ${typeOf(same)}`,
              "Keep its type; add another property.",
            ),
          ]),
      ...(shown && property.secret && !same.secret
        ? [broken(name, `${name} is no longer secret`, "Keep it secret: states and logs would show its value.")]
        : []),
    ];
  });
  const demanded = taken ? after.required.filter((name) => !before.required.includes(name)) : [];
  const lost = shown
    ? before.required.filter((name) => name in after.properties && !after.required.includes(name))
    : [];
  return [
    ...properties,
    ...demanded.map((name) => broken(name, `${name} is now required`, "Give it a default, and leave it optional.")),
    ...lost.map((name) => broken(name, `${name} may now be missing`, "Always set it, or add another property.")),
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
export const showBreak = ({ about, problem, remedy }: Break): string => `${about}: ${problem}. ${remedy}`;
