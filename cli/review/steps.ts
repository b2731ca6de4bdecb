import { nameInUrn } from "../../provider/tools";
import { kindOf, type EventState, type Step } from "../base/engine-events";
import { knownKind, type KnownKind } from "./known-kind";

/** What `up` does to an object; "leave": it leaves the stack, and nothing is deleted; "move": only its place in the program changes. */
export type Operation = "create" | "adopt" | "import" | "update" | "replace" | "delete" | "leave" | "move";

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
  /** The old object of a replacement goes before the new one comes. */
  readonly deletesFirst: boolean;
  /** The properties for which the engine replaces it, by their first step; none if a replacement was asked for. */
  readonly replacedFor: readonly string[];
  readonly old: EventState | undefined;
  readonly new: EventState | undefined;
}

/** The types of a `Platform`. */
const CONNECTIONS = ["pulumi:providers:pulumi-nodejs", "pulumi:providers:agent-platform"];

const REPLACING = ["replace", "create-replacement", "delete-replaced", "import-replacement"];

/** What the engine does to each resource that has an object of its own, or stands for one: no stack, no component, no default provider. */
export function mergedSteps(all: readonly Step[]): MergedStep[] {
  // With --refresh: the step that follows begins where the refresh ended.
  const steps = all.filter(({ op }) => op !== "refresh");
  const byUrn = new Map<string, Step[]>();
  for (const step of steps) {
    const urn = urnNow(step, steps);
    byUrn.set(urn, [...(byUrn.get(urn) ?? []), step]);
  }
  return [...byUrn.values()].flatMap((own) => {
    const merged = mergedStep(own);
    return merged === undefined || isBackground(merged) ? [] : [merged];
  });
}

/** The URN of a resource in the program. The delete of a replaced resource has the one that the state has, which may be its alias. */
function urnNow({ op, urn, old }: Step, steps: readonly Step[]): string {
  if (op !== "delete-replaced") return urn;
  const isSame = (step: Step): boolean =>
    step.op !== op && step.old?.urn === (old?.urn ?? urn) && step.old.id === (old?.id ?? "");
  return steps.find(isSame)?.urn ?? urn;
}

function mergedStep(steps: readonly Step[]): MergedStep | undefined {
  // The delete of an alias has the URN of before.
  const first = steps.find((step) => step.new) ?? steps[0];
  if (first === undefined) return undefined;
  const { urn, type } = first;
  const old = steps.find((step) => step.old)?.old ?? undefined;
  const fresh = steps.find((step) => step.new)?.new ?? undefined;
  const ops = steps.map(({ op }) => op);
  const known = knownKind(type);
  return {
    urn,
    type,
    known,
    kind: known?.kind ?? (CONNECTIONS.includes(type) ? "Platform" : kindOf(urn)),
    name: nameInUrn(urn),
    operation: operationOf(ops, urn, old, fresh),
    deletesFirst: isBefore(ops, "delete-replaced", "create-replacement"),
    replacedFor: [...new Set(steps.flatMap(({ keys }) => keys))].sort(),
    old,
    new: fresh,
  };
}

function operationOf(
  ops: readonly string[],
  urn: string,
  old: EventState | undefined,
  fresh: EventState | undefined,
): Operation | undefined {
  const has = (op: string): boolean => ops.includes(op);
  if (REPLACING.some(has)) return "replace";
  if (has("import")) return "import";
  if (has("create")) return isAdoption(fresh) ? "adopt" : "create";
  if (has("update")) return "update";
  if (has("delete")) return "delete";
  return has("same") && old !== undefined && old.urn !== "" && old.urn !== urn ? "move" : undefined;
}

const isAdoption = (fresh: EventState | undefined): boolean => {
  const adopt = fresh?.inputs?.["adopt"];
  return adopt === true || typeof adopt === "string";
};

/** Whether a step takes over the object of another one, by its id or its name: under the same connection, it is the same object. */
export function adoptsObjectOf(adopter: MergedStep, { known, operation, old }: MergedStep): boolean {
  const { inputs, provider } = adopter.new ?? {};
  if (operation !== "delete" || adopter.operation !== "adopt" || old === undefined) return false;
  if (known === undefined || adopter.known?.kind !== known.kind || !isSameConnection(provider, old.provider))
    return false;
  const { naturalKey = "" } = known.table;
  const { adopt, [naturalKey]: name } = inputs ?? {};
  return adopt === true ? name === old.outputs?.[naturalKey] : adopt === old.id;
}

/** By its URN: the id of a connection is not known before it is there. */
const isSameConnection = (one = "", other = ""): boolean =>
  one.split("::").slice(0, -1).join("::") === other.split("::").slice(0, -1).join("::");

function isBefore(ops: readonly string[], first: string, second: string): boolean {
  const [at, then] = [ops.indexOf(first), ops.indexOf(second)];
  return at >= 0 && (then < 0 || at < then);
}

function isBackground({ type, name, old, new: fresh }: MergedStep): boolean {
  const state = fresh ?? old;
  if (state === undefined || !state.custom) return true;
  return type.startsWith("pulumi:providers:") && name.startsWith("default");
}
