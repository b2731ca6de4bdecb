import { hasControlCharacter, serverProblem, urlProblem } from "../../base/address";
import { sameJson, type Json } from "../../base/json";
import { durationMs } from "../../base/time";
import type { Check, Field, Fields, InputsOf, NameRule, ObjectShape, Shape, Type } from "./table";

export const unless =
  <T>(holds: (value: T) => boolean, reason: string): Check<T> =>
  (value) =>
    holds(value) ? undefined : reason;

export const fits = (pattern: RegExp, reason: string): Check<string> => unless((value) => pattern.test(value), reason);

const noControlCharacters = unless<string>((it) => !hasControlCharacter(it), "must not contain control characters");
const noNul = unless<string>((value) => !value.includes("\0"), "must not contain NUL characters");

/** Even encoded, a dot segment would address another object. */
export const inPath = fits(/^(?!\.\.?$)/, 'must not be "." or ".." (it is part of a URL)');

/** Text with these checks and no others. */
export const checkedText = (
  text: Omit<Extract<Shape, { kind: "text" }>, "kind" | "checks">,
  ...checks: Check<string>[]
): Type<string> => ({ kind: "text", ...text, checks });

/** Text of at least one character, without control characters. */
export const text = (most = 4096, ...checks: Check<string>[]): Type<string> =>
  checkedText({ isNeverEmpty: true, most }, noControlCharacters, ...checks);

/** The id of another resource, which a command with `--exclude` or `--target` may leave out. @param one Its kind: `Deployment`. */
export const referenceTo = (one: string): Type<string> =>
  checkedText(
    {
      isNeverEmpty: true,
      most: 255,
      ifAbsent:
        `is required (a string), and the stack has no ${one} that it is of. If \`--exclude\` leaves out the ${one}, add \`--exclude-dependents\`; ` +
        "if `--target` does, run `pulumi up` without it first",
    },
    noControlCharacters,
  );

/** Text as {@link text} that usually is one of these. */
export const oneOfKnown = (known: readonly string[], ...checks: Check<string>[]): Type<string> =>
  checkedText({ isNeverEmpty: true, most: 64, known }, noControlCharacters, ...checks);

/** Text as {@link text}, but with the line breaks and tabs that a value (a PEM key, JSON) may hold. May be empty. */
export const anyText = (most = 65_536, ...checks: Check<string>[]): Type<string> =>
  checkedText({ most }, noNul, ...checks);

/** An absolute http(s) URL without credentials in it. */
export const url = (): Type<string> => checkedText({ most: 4096 }, urlProblem);

/** As {@link url}, of a server: paths are added to it. */
export const server = (absent: { ifNull?: string; ifAbsent: string }): Type<string> =>
  checkedText({ most: 4096, ...absent }, serverProblem);

/** A duration as text, in Pulumi's own form (customTimeouts). */
export const duration = (): Type<string> =>
  checkedText(
    {},
    unless((given) => durationMs(given) !== undefined, 'must be a duration like "90s", "30m" or "1h30m"'),
  );

export const choice = <T extends string>(...choices: readonly T[]): Type<T> => ({ kind: "choice", choices });

export const flag = (): Type<boolean> => ({ kind: "flag" });

export const flagOr = <T extends string>(...choices: readonly T[]): Type<boolean | T> => ({ kind: "flagOr", choices });

/** A whole number of at least `minimum`. */
export const count = (minimum: number): Type<number> => ({
  kind: "number",
  checks: [
    unless((given) => Number.isInteger(given) && given >= minimum, `must be a whole number of at least ${minimum}`),
  ],
});

export const number = (): Type<number> => ({ kind: "number", checks: [] });

export const positive = (): Type<number> => ({
  kind: "number",
  checks: [unless((given) => given > 0, "must be more than 0")],
});

export const json = (): Type<Json> => ({ kind: "json" });

/** The type, or null: what an output of another resource may turn out to be. */
export const nullable = <T>(of: Type<T>): Type<T | null> => ({ kind: "nullable", of });

/** A list; `empty` is the reason to refuse one without elements. */
export const list = <T>(
  of: Type<T>,
  { empty, most }: { readonly empty?: string; readonly most?: number } = { most: 1000 },
): Type<T[]> => ({ kind: "list", of, empty, most });

/** An object of named entries. Keys that would reach a prototype are refused. */
export const entries = <T>(
  of: Type<T>,
  names: NameRule = { pattern: /[^]/, rule: "must not be empty" },
): Type<Record<string, T>> => ({ kind: "map", of, names });

export const record = <T>(of: Type<T>): Type<Record<string, T>> => ({ kind: "map", of });

/** An object of these fields and no others. */
export const object = <F extends Fields>(
  fields: F,
  about: Pick<ObjectShape, "name" | "description" | "rules"> = {},
): Type<InputsOf<F>> => ({ kind: "object", fields, ...about });

/** The row of `adopt`: whether to take over an object that exists, by its natural key (true) or by its id. */
export const adoptField = (naturalKey: string) =>
  ({
    type: { kind: "flagOr", choices: "an id" },
    providerOnly: true,
    description: `Take over the existing object with this ${naturalKey} (\`true\`) or id, and make it as declared (docs/adopting.md).`,
    defaultText: "false",
  }) as const satisfies Field & { readonly type: Type<boolean | string> };

/** The row of `extra`: fields that the platform accepts and this version of the provider does not know. */
export const extra = {
  type: record(json()),
  description: "Fields of the platform that this version does not know, sent as they are. Not for secrets.",
  wire: "*",
  seenAs: "argument",
  notReturned: "always",
  default: {},
  equal: sameJson,
  onRemove: "unmanage",
} as const satisfies Field;

/**
 * The resource's URN, which the dynamic protocol does not pass to the plugin: for progress on its row, and the debug line about its changed secrets. For
 * every kind that waits or has a secret.
 */
export const progressUrn = {
  type: text(4096),
  providerOnly: "kept",
  seenAs: "nothing",
  description: "The row of the engine's display that its messages stand on.",
} as const satisfies Field;
