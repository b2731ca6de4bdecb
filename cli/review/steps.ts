import { isDeepStrictEqual } from "node:util";
import { type EventState, kindOf, type Step } from "../base/engine-events";
import { groupedBy } from "../base/printable";
import { PROVIDERS } from "../base/stack-connections";
import type { Operation } from "./review";
import { nameInUrn } from "../../provider/base/engine-format";
import { isUuid } from "../../provider/base/uuid";
import type { Defined } from "../../provider/lifecycle/defined";
import { RESOURCES } from "../../provider/resources/registry";
import { nativeToken, objectPlaceOf, type ResourceType, resourceTypeOf } from "../../provider/resources/resource-types";

/** What the provider knows of a type of its own. */
export interface KnownKind extends Pick<Defined, "table"> {
  readonly kind: ResourceType;
  /** It has an object of its own, on the platform or on an agent. */
  readonly hasObject: boolean;
  readonly isNative: boolean;
}

/** Undefined for the type of another provider. */
function knownKind(type: string): KnownKind | undefined {
  const kind = resourceTypeOf(type);
  if (kind === undefined) return undefined;
  const { table } = RESOURCES[kind];
  return {
    kind,
    table,
    hasObject: objectPlaceOf(kind) !== "none",
    isNative: type === nativeToken(kind),
  };
}

/** All steps of one resource, as one. */
export interface MergedStep {
  readonly urn: string;
  readonly type: string;
  /** Undefined for a resource of another provider. */
  readonly known: KnownKind | undefined;
  /** `Deployment`, also of another provider's type. */
  readonly kind: string;
  readonly name: string;
  /** Undefined if nothing happens to it. */
  readonly operation: Operation | undefined;
  /** An existing object is updated, possibly right after its import. */
  readonly isUpdated: boolean;
  /** The engine deletes its old object. False if an earlier run deleted that and was then cut off (`pendingReplacement` in state). */
  readonly isOldDeleted: boolean;
  /** The old object of a replacement goes before the new one comes. */
  readonly deletesFirst: boolean;
  /** The properties for which the engine replaces it, by their first step; none if a replacement was asked for. */
  readonly replacedFor: readonly string[];
  /** The properties that differ for the plugin, as far as it says so. */
  readonly differing: readonly string[];
  readonly old: EventState | undefined;
  readonly new: EventState | undefined;
  /** The URN of its `deletedWith` in state. */
  readonly deletedWith: string | undefined;
  /** An object that an earlier replacement did not delete; the resource itself already has a new one. */
  readonly isLeftBehind: boolean;
}

const REPLACING = ["replace", "create-replacement"];

/**
 * What the engine does to each custom resource, without the stack, components and default providers.
 * @param deletedWith The `deletedWith` of resources in state, by URN; the events do not contain it.
 */
export function mergedSteps(all: readonly Step[], deletedWith: Readonly<Record<string, string>>): MergedStep[] {
  // Skip the steps of --refresh: the step that follows begins with the refreshed state.
  const begun = all.filter(({ op }) => op !== "refresh");
  const steps = begun.flatMap((step) => foundByImport(step, begun));
  const keyOf = (step: Step): unknown => (isLeftBehind(step, steps) ? [step.urn, step.old?.id] : urnNow(step, steps));
  return groupedBy(steps, keyOf).flatMap((own) => {
    const merged = mergedStep(own);
    if (isBackground(merged)) return [];
    const left = own.some((step) => isLeftBehind(step, steps));
    return [{ ...merged, deletedWith: deletedWith[merged.old?.urn ?? ""], isLeftBehind: left }];
  });
}

/** Whether a step deletes an object that an earlier replacement left behind, in addition to the resource's current step. */
const isLeftBehind = (step: Step, steps: readonly Step[]): boolean =>
  step.op === "delete-replaced" &&
  replacementOf(step, steps) === undefined &&
  steps.some((each) => each.op !== step.op && each.urn === step.urn);

/** The URN of a resource in the program. The delete of a replaced resource has the URN in state, which may be an alias. */
const urnNow = (step: Step, steps: readonly Step[]): string =>
  (step.op === "delete-replaced" ? replacementOf(step, steps)?.urn : undefined) ?? step.urn;

/** Another step of the object that a step deletes. */
const replacementOf = ({ op, urn, old }: Step, steps: readonly Step[]): Step | undefined =>
  steps.find((each) => each.op !== op && each.old?.urn === (old?.urn ?? urn) && each.old.id === (old?.id ?? ""));

/** The steps of an import in place of a row (docs/internals/engine.md, trap 41). */
const OF_IMPORT = ["import-replacement", "replace", "delete-replaced"];

/**
 * An import in place of a row is an import of what it finds. If that is the row's own object, as on each run of an import by name, nothing is replaced;
 * otherwise the row's object is deleted as one that is left behind.
 */
function foundByImport(step: Step, steps: readonly Step[]): Step[] {
  // Without a search of all steps for each of thousands.
  if (!OF_IMPORT.includes(step.op)) return [step];
  const of = (op: string): Step | undefined => steps.find((each) => each.op === op && each.urn === step.urn);
  const found = of("import-replacement") && of("replace")?.new;
  if (!found) return [step];
  if (step.op === "import-replacement") return [{ ...step, op: "import" }];
  if (step.op === "replace") return [{ ...step, op: "same", old: found }];
  return step.op === "delete-replaced" && step.old?.id === found.id ? [] : [step];
}

function mergedStep(steps: readonly [Step, ...Step[]]): Omit<MergedStep, "deletedWith" | "isLeftBehind"> {
  // Prefer a step with a new state: the delete of an alias has the previous URN.
  const { urn, type } = steps.find((step) => step.new) ?? steps[0];
  // The object that an import finds is the old state of the step after it.
  const old = steps.find((step) => step.old && step.op !== "import")?.old ?? undefined;
  const fresh = steps.find((step) => step.new)?.new ?? undefined;
  const ops = steps.map(({ op }) => op);
  const known = knownKind(type);
  return {
    urn,
    type,
    known,
    kind: known?.kind ?? (PROVIDERS.includes(type) ? "Platform" : kindOf(urn)),
    name: nameInUrn(urn),
    operation: operationOf(ops, urn, old, fresh),
    isUpdated: ops.includes("update"),
    isOldDeleted: ops.some((op) => op === "delete" || op === "delete-replaced"),
    deletesFirst: isBefore(ops, "delete-replaced", "create-replacement"),
    // For --target-replace and a taint the engine names the id, for replaceWith that option.
    replacedFor: [...new Set(steps.flatMap(({ keys }) => keys))]
      .filter((key) => key !== "id" && key !== "replaceWith")
      .sort(),
    differing: [...new Set(steps.flatMap(({ detailedDiff }) => Object.keys(detailedDiff ?? {}).map(propertyOf)))],
    old,
    new: fresh,
  };
}

/** `secrets` of `secrets["a.b"].c[0]`. */
const propertyOf = (path: string): string => /^[^.[]*/.exec(path)?.[0] ?? path;

function operationOf(
  ops: readonly string[],
  urn: string,
  old: EventState | undefined,
  fresh: EventState | undefined,
): Operation | undefined {
  const has = (op: string): boolean => ops.includes(op);
  // The program only reads what it had declared: the same object, or another one in its place.
  if (has("read-replacement") || (has("read") && isReadFrom(old, fresh))) return "delete";
  const isReplaced = REPLACING.some(has);
  if (isReplaced && old?.external !== true) return "replace";
  if (has("import")) return "import";
  if (has("create") || isReplaced) return isAdoption(fresh) ? "adopt" : "create";
  if (has("update")) return "update";
  if (has("delete") || has("delete-replaced") || has("discard")) return "delete";
  return has("same") && old !== undefined && old.urn !== "" && old.urn !== urn ? "move" : undefined;
}

/** Whether the program only reads an object from now on that it has declared until now. */
export const isReadFrom = (old: EventState | undefined, fresh: EventState | undefined): boolean =>
  old?.external === false && fresh?.external === true && old.id === fresh.id;

const isAdoption = (fresh: EventState | undefined): boolean => {
  const adopt = fresh?.inputs?.["adopt"];
  return adopt === true || typeof adopt === "string";
};

/** Whether the object of a step is in the state already, and stays there. */
export const isKept = ({ operation }: Pick<MergedStep, "operation">): boolean =>
  operation === undefined || operation === "move" || operation === "update";

/**
 * Whether a connection, given by the `provider` of a state, leads to where the object of an old state is; "perhaps" if only its key tells, undefined if
 * its address is unknown.
 */
export type IsSamePlace = (provider: string | undefined, old: EventState) => boolean | "perhaps" | undefined;

/**
 * Whether a step takes over the object of another step, or has already done so, by its id or its name. A UUID alone identifies an object. For any other
 * name, the events may not show whether two connections lead to the same platform ("perhaps").
 */
export function adoptsObjectOf(
  adopter: MergedStep,
  { known, operation, old }: MergedStep,
  isSamePlace: IsSamePlace,
): boolean | "perhaps" {
  if (operation !== "delete" || old === undefined || known === undefined) return false;
  if (adopter.known?.kind !== known.kind) return false;
  const { inputs, provider } = adopter.new ?? {};
  const { naturalKey = "", fields } = known.table;
  const adopt = inputs?.["adopt"];
  // By its name, or by what stands for it.
  const names = [naturalKey, fields[naturalKey]?.unlessGiven ?? naturalKey];
  const isNamed = (name: string): boolean =>
    inputs?.[name] !== undefined && isDeepStrictEqual(inputs[name], old.outputs?.[name]);
  const isImport = adopter.operation === "import";
  // After an import, only the next step is certain to have the id.
  const id = adopter.old?.id ?? adopter.new?.id;
  const isThere = (): boolean | "perhaps" =>
    isSameConnection(provider, old.provider) || (isSamePlace(provider, old) ?? "perhaps");
  // An earlier run took it over, and ended before this delete.
  if (isKept(adopter) && adopter.old?.id === old.id) return isUuid(old.id) || isThere();
  if (!isImport && adopter.operation !== "adopt") return false;
  const byId = isImport ? id : adopt;
  if (byId === old.id && isUuid(old.id)) return true;
  const isByName = isImport
    ? id !== undefined && id === old.outputs?.[naturalKey]
    : adopt === true && names.some(isNamed);
  return (byId === old.id || isByName) && isThere();
}

/** A replacement whose old object an earlier run has already deleted. */
export const isHalfDone = ({ operation, isOldDeleted }: Pick<MergedStep, "operation" | "isOldDeleted">): boolean =>
  operation === "replace" && !isOldDeleted;

/** Compares URNs, because a connection has no id before it is created. */
export const isSameConnection = (one = "", other = ""): boolean =>
  one.split("::").slice(0, -1).join("::") === other.split("::").slice(0, -1).join("::");

function isBefore(ops: readonly string[], first: string, second: string): boolean {
  const [at, then] = [ops.indexOf(first), ops.indexOf(second)];
  return at >= 0 && (then < 0 || at < then);
}

function isBackground({ type, name, old, new: fresh }: Pick<MergedStep, "type" | "name" | "old" | "new">): boolean {
  const state = fresh ?? old;
  if (state === undefined || !state.custom) return true;
  return type.startsWith("pulumi:providers:") && name.startsWith("default");
}
