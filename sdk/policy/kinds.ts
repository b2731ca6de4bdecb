import { resourceTypeOf } from "../../provider/resources/resource-types";

// The same kinds have two types, one for each plugin of the provider. A rule that matched only one of them would check nothing after a
// stack has moved to the other, without a word.
export { resourceTypeOf as kindOf };

/** The types that are of that provider, but that no rule here can match. */
export const unmatched = (types: readonly string[]): string[] =>
  [...new Set(types)].filter(
    (type) => /^(pulumi-nodejs:dynamic\/)?agent-platform:/.test(type) && resourceTypeOf(type) === undefined,
  );
