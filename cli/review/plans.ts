import { SECRET, withoutSecrets } from "../base/changed-fields";
import type { KnownKind, MergedStep } from "./steps";
import { asObject, isObject, type Json, type JsonObject, UNKNOWN } from "../../provider/base/json";
import type { SecretChange } from "../../provider/lifecycle/fields/secret-names";
import type { Field } from "../../provider/lifecycle/fields/table";
import { NOTHING, perhaps, type Plan, type PlannedRequest } from "../../provider/lifecycle/plan";
import { inputsFromState, pickInputs } from "../../provider/lifecycle/state";
import { RESOURCES } from "../../provider/resources/registry";

/** The previous and the new declaration, as far as the engine shows them: without the provider's controls, with secrets masked. */
interface Sides {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** The declarations of a step; a new object has no previous one. */
export function sidesOf({ operation, isUpdated, old, new: fresh }: MergedStep, { table, isNative }: KnownKind): Sides {
  const { inputs: declared, outputs = {} } = old ?? {};
  // For a dynamic resource, only the outputs count: its plugin does not see the inputs in state.
  const state = { id: "", outputs: asObject(outputs), inputs: isNative && declared ? asObject(declared) : undefined };
  const isNew = !isUpdated && operation !== "replace";
  return {
    before: isNew ? {} : pickInputs(table, inputsFromState(table, state)),
    after: pickInputs(table, asObject(fresh?.inputs)),
  };
}

/** What a plan may depend on besides the step. */
interface PlanFacts {
  /** The secrets that differ, as the provider reported them. */
  readonly secrets: readonly SecretChange[];
  /** False if the step may leave the object as it is, or change it in place. */
  readonly isCertain: boolean;
  /** Whether a DELETE is sent for the object. */
  readonly isDeleted: boolean | "perhaps";
}

/** Predicts what `up` sends for a step, with the code that sends it. Nothing for a resource of another provider. */
export function planOf(step: MergedStep, { secrets, isCertain, isDeleted }: PlanFacts): Plan {
  const { known, operation, deletesFirst, old } = step;
  if (!known?.hasObject || operation === undefined) return NOTHING;
  const { planner } = RESOURCES[known.kind];
  const { before, after } = comparable(known, sidesOf(step, known), secrets);
  const removal: PlannedRequest[] = isDeleted ? [{ method: "DELETE", fields: [], isCertain: isDeleted === true }] : [];
  switch (operation) {
    case "create":
    case "adopt":
      return planner.create(after);
    case "update":
    case "import":
      return step.isUpdated ? planner.update(before, after, asObject(old?.outputs)) : NOTHING;
    case "delete":
      return { ...NOTHING, requests: removal };
    case "replace": {
      const fresh = planner.create(after);
      const all = deletesFirst ? [...removal, ...fresh.requests] : [...fresh.requests, ...removal];
      if (isCertain) return { ...fresh, requests: all };
      const { requests, revision, sent } = planner.update(before, after, asObject(old?.outputs));
      return {
        requests: [...requests, ...all].map(perhaps),
        revision: revision === "none" ? "none" : "may",
        sent: new Map([...sent, ...fresh.sent].map(([name]) => [name, "may"])),
      };
    }
    default:
      return NOTHING;
  }
}

/**
 * Both sides with placeholders for masked secrets: different or unknown where the provider reported that, otherwise equal. Any other masked value
 * may have changed, so it counts as unknown.
 */
function comparable({ table }: KnownKind, { before, after }: Sides, secrets: readonly SecretChange[]): Sides {
  const [from, to] = [asObject(withoutSecrets(before)), asObject(withoutSecrets(after))];
  const isUntold = (name: string): boolean => table.fields[name]?.secret !== true;
  const shown = Object.entries(to).map(([name, value]) => [name, isUntold(name) ? unmasked(value) : value] as const);
  const sides = { before: from, after: Object.fromEntries(shown) };
  for (const [name, field] of Object.entries(table.fields)) {
    if (field.secret !== true || field.computed === true) continue;
    const own = secrets.filter((each) => each.field === name);
    sides.before = withSecret(sides.before, name, field, own, ["changed", "removed", "known at up"], "before");
    sides.after = withSecret(sides.after, name, field, own, ["changed", "new"], "after");
  }
  return sides;
}

function withSecret(
  side: JsonObject,
  name: string,
  { type }: Field,
  changes: readonly SecretChange[],
  hows: readonly SecretChange["how"][],
  value: "before" | "after",
): JsonObject {
  const there = side[name];
  if (there === undefined) return side;
  const isOpen = value === "after" && changes.some((each) => each.name === undefined && each.how === "known at up");
  if (isOpen) return { ...side, [name]: UNKNOWN };
  if (type.kind !== "map") return { ...side, [name]: changes.length > 0 ? value : SECRET };
  const own = changes.flatMap(({ name: key, how }): [string, Json][] => {
    if (key === undefined) return [];
    return hows.includes(how) ? [[key, value]] : how === "known at up" ? [[key, UNKNOWN]] : [];
  });
  // A secret that was not reported is the same on both sides.
  const others = isObject(there)
    ? Object.keys(there).filter((key) => !changes.some((each) => each.name === key))
    : [name];
  return { ...side, [name]: { ...Object.fromEntries(others.map((key) => [key, SECRET])), ...Object.fromEntries(own) } };
}

function unmasked(value: Json | undefined): Json | undefined {
  if (value === SECRET) return UNKNOWN;
  if (Array.isArray(value)) return value.map((item) => unmasked(item) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unmasked(item)]));
}
