import type { ExpectedRefusals, InputsSchema } from "../../provider/lifecycle/fields/schema";
import { pluralOf, type Table } from "../../provider/lifecycle/fields/table";
import type { FilledIn } from "../../provider/lifecycle/observe/shortest-declaration";
import { RESOURCES } from "../../provider/resources/registry";
import {
  MANAGED_TYPES,
  type ManagedType,
  objectPlaceOf,
  resourceTypeOf,
} from "../../provider/resources/resource-types";

/** How a kind of object is written in a program. */
export interface ManagedTypeSpec {
  readonly kind: ManagedType;
  /** The argument whose value names an object. */
  readonly naturalKey: string;
  readonly one: string;
  readonly many: string;
  /** The suffix of their variables' names, so that no two kinds share a name, and no name is a reserved word. */
  readonly suffix: string;
  readonly table: Table;
  readonly inputs: InputsSchema<unknown>;
  readonly expectedRefusals: ExpectedRefusals;
  readonly filledIn: FilledIn | undefined;
}

/** The kinds in the order in which a program declares them: a deployment, the first of the registry, may use the others. */
export const SPECS: readonly ManagedTypeSpec[] = MANAGED_TYPES.map(specOf).reverse();

function specOf(kind: ManagedType): ManagedTypeSpec {
  const { table, inputs, expectedRefusals, filledIn } = RESOURCES[kind];
  const { one, naturalKey = "name" } = table;
  const own = { table, inputs, expectedRefusals, filledIn };
  return { kind, naturalKey, one, many: pluralOf(one), suffix: suffixOf(kind), ...own };
}

/** The last word of the kind, or the whole kind if an earlier one ends with the same word. */
function suffixOf(kind: ManagedType): string {
  const before = MANAGED_TYPES.slice(0, MANAGED_TYPES.indexOf(kind));
  return before.some((each) => lastWord(each) === lastWord(kind)) ? kind : lastWord(kind);
}

function lastWord(kind: string): string {
  return /[A-Z][^A-Z]*$/.exec(kind)?.[0] ?? kind;
}

/** Whether reports count resources of this type as objects. They do not count a connection, a rollout or a run check. */
export function isObjectType(type: string): boolean {
  const ours = resourceTypeOf(type);
  if (ours !== undefined) return objectPlaceOf(ours) !== "none";
  return !type.startsWith("pulumi:providers:");
}

/** How many there are of each kind, without those of which there are none: "1 listener", "2 deployments". */
export const countsOf = (kinds: readonly ManagedType[]): string[] =>
  SPECS.flatMap(({ kind, one, many }) => {
    const count = kinds.filter((each) => each === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
