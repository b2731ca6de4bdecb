import { FRONT, type Front } from "../../support/cli-stack";

/** The words of the vocabulary that mean nothing for dynamic resources, which have no imports, and are written in JavaScript alone. */
const NATIVE_ONLY: ReadonlySet<string> = new Set([
  "rename in Pulumi, with import",
  "declare as YAML does, or no longer",
  "import",
]);

/** The words that are played through this plugin. */
export const wordsOn = <Word extends string>(words: readonly Word[], front: Front = FRONT): Word[] =>
  words.filter((word) => front === "native" || !NATIVE_ONLY.has(word));
