/** The kinds of resources. A kind is part of the type token in every state: public API for ever. */
export const KINDS = ["Deployment", "Rollout", "OAuthProvider", "SandboxTemplate", "RunCheck"] as const;

export type Kind = (typeof KINDS)[number];

/** The kinds that have an object of their own on the platform, with a name that can be taken. */
export const NOUNS = ["Deployment", "OAuthProvider", "SandboxTemplate"] as const satisfies readonly Kind[];

export type Noun = (typeof NOUNS)[number];

/** `pulumi-nodejs:dynamic/agent-platform:<Kind>`; the engine gives it to the plugin of dynamic resources. */
export function typeToken(kind: Kind): string {
  return `pulumi-nodejs:dynamic/agent-platform:${kind}`;
}

/**
 * The text in state that stands for the code of a resource: it names a module, and captures nothing. It never changes, so an upgrade of
 * this package is never a diff (docs/engine.md, trap 13).
 */
export function providerString(kind: Kind): string {
  return `exports.handler = () => require("pulumi-agent-platform/provider").handlers.${kind};`;
}
