import type { ManagedType } from "../../../provider/resources/resource-types";
import { MANAGED_TYPES } from "../../../provider/resources/resource-types";
import type { StateResource } from "../../support/cli-stack";
import type { EngineStack } from "./engine-stack";
import type { Platform, PlatformObject } from "./platform";
import { CONNECTIONS, type Connection, type Slot } from "./world";

/** State and platform at one moment. */
export interface Observation {
  readonly state: readonly StateResource[];
  readonly objects: readonly PlatformObject[];
}

export const observe = (stack: EngineStack, platform: Platform): Observation => ({
  state: stack.resources(),
  objects: platform.objects(),
});

/** The resource type of a resource in state; undefined for a Rollout, which has no object. */
export const managedTypeInState = ({ type }: Pick<StateResource, "type">): ManagedType | undefined =>
  MANAGED_TYPES.find((managedType) => type.endsWith(`:${managedType}`));

/** The key that ties a resource in state to its object. */
export const keyInState = (resource: StateResource): string =>
  `${managedTypeInState(resource) ?? "?"} ${resource.id ?? ""}`;
export const keyOf = ({ managedType, id }: PlatformObject): string => `${managedType} ${id}`;

/** The resources in state that have an object. */
export const managedInState = ({ state }: Observation): StateResource[] =>
  state.filter(
    (resource) => managedTypeInState(resource) !== undefined && resource.id !== undefined && resource.id !== "",
  );

export const objectOf = ({ objects }: Observation, resource: StateResource): PlatformObject | undefined =>
  objects.find((object) => keyOf(object) === keyInState(resource));

/** The resource that a slot has in state, whatever its present name in Pulumi. */
export const slotInState = (observation: Observation, slot: Slot): StateResource | undefined =>
  managedInState(observation).find(({ urn, delete: going }) => !going && new RegExp(`::${slot}(-\\d+)?$`).test(urn));

/** The connection that a resource in state goes through. */
export const connectionInState = ({ provider }: StateResource): Connection =>
  CONNECTIONS.find((connection) => provider.includes(`::${connection}::`)) ?? "stack";

/** The object that a slot has on the platform. */
export function heldBy(observation: Observation, slot: Slot): PlatformObject | undefined {
  const resource = slotInState(observation, slot);
  return resource && objectOf(observation, resource);
}
