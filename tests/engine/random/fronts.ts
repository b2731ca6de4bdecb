import { FRONT, type Front } from "../../support/cli-stack";

/** The words of the vocabulary that mean nothing for dynamic resources, which have no imports, and are written in JavaScript alone. */
const NATIVE_ONLY: ReadonlySet<string> = new Set([
  "rename in Pulumi, with import",
  "declare as YAML does, or no longer",
  "import",
]);

/** The words that a version has no argument for, or plays wrongly, as the changelog of a later one says. */
const UNKNOWN_TO: Readonly<Record<string, ReadonlySet<string>>> = {
  "0.1.0": new Set(["change the orchestrators"]),
};
/** The words that a version, or else that of this checkout, knows. */
export const knownTo = <Word extends string>(words: readonly Word[], version: string | undefined): Word[] =>
  words.filter((word) => version === undefined || UNKNOWN_TO[version]?.has(word) !== true);

/** The words that are played through this plugin. */
export const wordsOn = <Word extends string>(words: readonly Word[], front: Front = FRONT): Word[] =>
  words.filter((word) => front === "native" || !NATIVE_ONLY.has(word));
