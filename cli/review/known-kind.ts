import type { Defined } from "../../provider/lifecycle/defined";
import type { FieldRules } from "../../provider/lifecycle/fields/fields";
import { rulesOf } from "../../provider/lifecycle/fields/table";
import { RESOURCES } from "../../provider/resources/registry";
import {
  nativeToken,
  objectPlaceOf,
  RESOURCE_TYPES,
  type ResourceType,
  resourceTypeOf,
} from "../../provider/resources/resource-types";

/** What the provider knows of a type of its own. */
export interface KnownKind extends Pick<Defined, "table"> {
  readonly kind: ResourceType;
  readonly rules: FieldRules;
  readonly properties: readonly string[];
  /** It has an object of its own, on the platform or on an agent. */
  readonly hasObject: boolean;
  readonly isNative: boolean;
}

const known = (kind: ResourceType): Omit<KnownKind, "isNative"> => {
  const { table, inputs } = RESOURCES[kind];
  return {
    kind,
    table,
    rules: rulesOf(table.fields),
    properties: inputs.properties,
    hasObject: objectPlaceOf(kind) !== "none",
  };
};

const KNOWN = new Map(RESOURCE_TYPES.map((kind) => [kind, known(kind)]));

/** Undefined for the type of another provider. */
export function knownKind(type: string): KnownKind | undefined {
  const kind = resourceTypeOf(type);
  const found = kind && KNOWN.get(kind);
  return found && { ...found, isNative: type === nativeToken(found.kind) };
}
