import { nativeTokenOf } from "../base/settings";

/**
 * The registry of kinds, one line each, with where their objects are: on the "platform", which lists them under unique names; on an "agent", the
 * server of a deployment; or "none".
 * A kind is part of the type token in every state: public API forever.
 */
const OBJECTS = {
  Deployment: "platform",
  Rollout: "none",
  OAuthProvider: "platform",
  SandboxTemplate: "platform",
  Listener: "platform",
  PlatformAgent: "platform",
  RunCheck: "none",
  SandboxRegistry: "platform",
  SandboxSnapshot: "platform",
  SandboxVolume: "platform",
  Assistant: "agent",
  Cron: "agent",
  WorkspaceSecret: "platform",
} as const satisfies Readonly<Record<string, "platform" | "agent" | "none">>;

export type ResourceType = keyof typeof OBJECTS;

/** A kind with objects of its own on the platform. */
export type ManagedType = { [K in ResourceType]: (typeof OBJECTS)[K] extends "platform" ? K : never }[ResourceType];

export const isResourceType = (name: string): name is ResourceType => Object.hasOwn(OBJECTS, name);
const isManagedType = (kind: ResourceType): kind is ManagedType => OBJECTS[kind] === "platform";

export const RESOURCE_TYPES: readonly ResourceType[] = Object.keys(OBJECTS).filter(isResourceType);

export const MANAGED_TYPES: readonly ManagedType[] = RESOURCE_TYPES.filter(isManagedType);

/** A kind with objects, on the platform or on an agent. */
export type ObjectType = { [K in ResourceType]: (typeof OBJECTS)[K] extends "none" ? never : K }[ResourceType];

const isAgentType = (kind: ResourceType): kind is ObjectType => OBJECTS[kind] === "agent";

export const AGENT_TYPES: readonly ObjectType[] = RESOURCE_TYPES.filter(isAgentType);

export const objectPlaceOf = (kind: ResourceType): "platform" | "agent" | "none" => OBJECTS[kind];

/** The name of a kind's folder in provider/resources, and of its files elsewhere: `oauth-provider`. */
export const folderOf = (kind: string): string => kind.replace(/([a-z])(?=[A-Z])/g, "$1-").toLowerCase();

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
