import { rulesOf } from "../../provider/lifecycle/table";
import type { FieldRules } from "../../provider/lifecycle/fields";
import type { Defined } from "../../provider/lifecycle/defined";
import { RESOURCES } from "../../provider/resources/registry";
import { dynamicToken, KINDS, nativeToken, NOUNS, type Kind } from "../../provider/resources/kinds";

/** What the provider knows of a type of its own. */
export interface KnownKind extends Pick<Defined, "table" | "naturalKey" | "undocumented"> {
  readonly kind: Kind;
  readonly rules: FieldRules;
  readonly properties: readonly string[];
  /** It has an object of its own on the platform. */
  readonly isNoun: boolean;
  readonly isNative: boolean;
}

const known = (kind: Kind, isNative: boolean): KnownKind => {
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
    isNative,
  };
};

const BY_TYPE = new Map(
  KINDS.flatMap((kind) => [
    [dynamicToken(kind), known(kind, false)] as const,
    [nativeToken(kind), known(kind, true)] as const,
  ]),
);

/** Undefined for the type of another provider. */
export const knownKind = (type: string): KnownKind | undefined => BY_TYPE.get(type);
