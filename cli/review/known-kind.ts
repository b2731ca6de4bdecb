import { rulesOf } from "../../provider/lifecycle/table";
import type { FieldRules } from "../../provider/lifecycle/fields";
import type { Defined } from "../../provider/lifecycle/defined";
import { RESOURCES } from "../../provider/resources/registry";
import { kindOf, KINDS, nativeToken, NOUNS, type Kind } from "../../provider/resources/kinds";

/** What the provider knows of a type of its own. */
export interface KnownKind extends Pick<Defined, "table" | "naturalKey" | "undocumented"> {
  readonly kind: Kind;
  readonly rules: FieldRules;
  readonly properties: readonly string[];
  /** It has an object of its own on the platform. */
  readonly isNoun: boolean;
  readonly isNative: boolean;
}

const known = (kind: Kind): Omit<KnownKind, "isNative"> => {
  const { table, naturalKey, undocumented, inputs } = RESOURCES[kind];
  const isNoun = NOUNS.some((noun) => noun === kind);
  return {
    kind,
    table,
    naturalKey,
    undocumented,
    rules: rulesOf(table.fields),
    properties: inputs.properties,
    isNoun,
  };
};

const KNOWN = new Map(KINDS.map((kind) => [kind, known(kind)]));

/** Undefined for the type of another provider. */
export function knownKind(type: string): KnownKind | undefined {
  const kind = kindOf(type);
  const found = kind && KNOWN.get(kind);
  return found && { ...found, isNative: type === nativeToken(found.kind) };
}
