// The same kinds have two types, one for each plugin of the provider. A rule that matched only one of them would check nothing after a
// stack has moved to the other, without a word.
const TYPE = /^(?:pulumi-nodejs:dynamic\/agent-platform|agent-platform:index):(\w+)$/;

/** The kind of a resource of pulumi-agent-platform, whichever plugin it uses; undefined for every other resource. */
export const kindOf = (type: string): string | undefined => TYPE.exec(type)?.[1];

/** The types that are of that provider, but that no rule here can match. */
export const unmatched = (types: readonly string[]): string[] =>
  [...new Set(types)].filter(
    (type) => type.includes("agent-platform:") && !type.startsWith("pulumi:") && !kindOf(type),
  );
