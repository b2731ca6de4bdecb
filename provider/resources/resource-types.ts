import { nativeTokenOf } from "../base/settings";

/**
 * The registry of kinds, one line each: whether it has an object of its own on the platform, with a name that can be taken.
 * A kind is part of the type token in every state: public API forever.
 */
const HAS_OBJECT = {
  Deployment: true,
  Rollout: false,
  OAuthProvider: true,
  SandboxTemplate: true,
  Listener: true,
  RunCheck: false,
  SandboxRegistry: true,
} as const;

export type ResourceType = keyof typeof HAS_OBJECT;

/** A kind with objects of its own. */
export type ManagedType = { [K in ResourceType]: (typeof HAS_OBJECT)[K] extends true ? K : never }[ResourceType];

const isResourceType = (name: string): name is ResourceType => name in HAS_OBJECT;
const isManagedType = (kind: ResourceType): kind is ManagedType => HAS_OBJECT[kind];

/** The kinds of resources. */
export const RESOURCE_TYPES: readonly ResourceType[] = Object.keys(HAS_OBJECT).filter(isResourceType);

/** The kinds that have an object of their own on the platform. */
export const MANAGED_TYPES: readonly ManagedType[] = RESOURCE_TYPES.filter(isManagedType);

/** The name of a kind's folder in provider/resources, and of its files elsewhere: `oauth-provider`. */
export const folderOf = (kind: ResourceType): string => kind.replace(/([a-z])(?=[A-Z])/g, "$1-").toLowerCase();

/** `pulumi-nodejs:dynamic/agent-platform:<Kind>`; the engine gives it to the plugin of dynamic resources. */
export const dynamicToken = (kind: ResourceType): string => `pulumi-nodejs:dynamic/agent-platform:${kind}`;

/** `agent-platform:index:<Kind>`; the engine gives it to the native plugin. */
export const nativeToken = (kind: ResourceType): string => nativeTokenOf(kind);

const TYPE_OF_TOKEN = new Map(
  RESOURCE_TYPES.flatMap((kind) => [dynamicToken(kind), nativeToken(kind)].map((type) => [type, kind] as const)),
);

/** The kind that a type token names, whichever plugin it belongs to; undefined for every other type. */
export const resourceTypeOf = (type: string): ResourceType | undefined => TYPE_OF_TOKEN.get(type);

/** The module that holds the code of dynamic resources: their plugin loads it from the project's folder. */
export const PROVIDER_MODULE = "pulumi-agent-platform/provider";

/**
 * The text in state that stands for the code of a resource: it names a module, and captures nothing. It never changes, so an upgrade of
 * this package is never a diff (docs/internals/engine.md, trap 13).
 */
export function providerString(kind: ResourceType): string {
  return `exports.handler = () => require("${PROVIDER_MODULE}").handlers.${kind};`;
}
