import { dynamicToken, KINDS, nativeToken, type Kind } from "../../provider/resources/kinds";

// The same kinds have two types, one for each plugin of the provider. A rule that matched only one of them would check nothing after a
// stack has moved to the other, without a word.
const KIND_OF = new Map(
  KINDS.flatMap((kind) => [dynamicToken(kind), nativeToken(kind)].map((type) => [type, kind] as const)),
);

/** The kind of a resource of pulumi-agent-platform, whichever plugin it uses; undefined for every other resource. */
export const kindOf = (type: string): Kind | undefined => KIND_OF.get(type);

/** The types that are of that provider, but that no rule here can match. */
export const unmatched = (types: readonly string[]): string[] =>
  [...new Set(types)].filter(
    (type) => /^(pulumi-nodejs:dynamic\/)?agent-platform:/.test(type) && kindOf(type) === undefined,
  );
