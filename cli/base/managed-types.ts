import type { Defined } from "../../provider/lifecycle/defined";
import { pluralOf } from "../../provider/lifecycle/fields/table";
import { RESOURCES } from "../../provider/resources/registry";
import {
  AGENT_TYPES,
  MANAGED_TYPES,
  objectPlaceOf,
  type ObjectType,
  resourceTypeOf,
} from "../../provider/resources/resource-types";

/** How a kind of object is written in a program. */
export interface ManagedTypeSpec extends Pick<Defined, "table" | "expectedRefusals" | "filledIn" | "references"> {
  readonly kind: ObjectType;
  /** The argument whose value names an object. */
  readonly naturalKey: string;
  readonly one: string;
  readonly many: string;
}

/** The platform's kinds in the order in which a program declares them: those that refer to others come last. */
export const SPECS: readonly ManagedTypeSpec[] = MANAGED_TYPES.map(specOf)
  .reverse()
  .sort((one, other) => Number(one.references !== undefined) - Number(other.references !== undefined));

/** The same, and those whose objects are on agents. */
export const ALL_SPECS: readonly ManagedTypeSpec[] = [...SPECS, ...AGENT_TYPES.map(specOf)];

function specOf(kind: ObjectType): ManagedTypeSpec {
  const { one, naturalKey = "name" } = RESOURCES[kind].table;
  return { ...RESOURCES[kind], kind, naturalKey, one, many: pluralOf(one) };
}

/** Whether reports count resources of this type as objects. They do not count a connection, a rollout or a run check. */
export function isObjectType(type: string): boolean {
  const ours = resourceTypeOf(type);
  if (ours !== undefined) return objectPlaceOf(ours) !== "none";
  return !type.startsWith("pulumi:providers:");
}

/** Whether resources of this type have their objects on agents. */
export function isOnAgent(type: string): boolean {
  const ours = resourceTypeOf(type);
  return ours !== undefined && objectPlaceOf(ours) === "agent";
}

/** How many there are of each kind, without those of which there are none: "1 listener", "2 deployments". */
export const countsOf = (kinds: readonly ObjectType[]): string[] =>
  ALL_SPECS.flatMap(({ kind, one, many }) => {
    const count = kinds.filter((each) => each === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
