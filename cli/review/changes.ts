import { type ChangedPath, changedPaths, SECRET, withoutSecrets } from "../base/changed-fields";
import type { Diagnostic, EventProperties } from "../base/engine-events";
import { byTexts } from "../base/printable";
import { sidesOf } from "./plans";
import type { ReviewedField } from "./review";
import type { KnownKind, MergedStep } from "./steps";
import { asObject, hasUnknown, isObject, isParsedJson, type JsonObject, UNKNOWN } from "../../provider/base/json";
import { changesBetween } from "../../provider/lifecycle/fields/diff";
import {
  type FieldRule,
  type FieldRules,
  type Path,
  ruleAt,
  showPath,
  withoutProviderOnly,
} from "../../provider/lifecycle/fields/fields";
import { readSecretData, type SecretChange } from "../../provider/lifecycle/fields/secret-names";
import { withoutHidden } from "../../provider/lifecycle/state";

/** How one field changes, as it is reported, and by which rule. */
export interface FieldChange extends Omit<ReviewedField, "waitsFor"> {
  readonly steps: Path;
  /** What follows from the field's row in the table; empty for another provider's. */
  readonly rule: FieldRule;
}

/**
 * The fields in which the program differs from the state, by the rules of the diff. Secrets are named, never shown.
 * @param waits Whether a property has values of a resource that changes.
 */
export function fieldChanges(
  step: MergedStep,
  secrets: readonly SecretChange[],
  waits: (property: string) => boolean = () => false,
): FieldChange[] {
  const { operation, isUpdated } = step;
  if (operation === undefined || operation === "delete" || operation === "move") return [];
  const isNew = !isUpdated && operation !== "replace";
  const all = step.known === undefined ? foreignChanges(step, isNew) : ownChanges(step, step.known);
  const told = step.known === undefined ? [] : toldChanges(step, step.known.table.fieldRules, secrets);
  const isTold = (field: FieldChange): boolean => told.some(({ steps }) => steps[0] === field.steps[0]);
  const shown = [...all.filter((field) => !(field.rule.secret && isTold(field))), ...told];
  return [...shown, ...maskedChanges(step, shown, waits)].sort(byTexts(({ path }) => [path]));
}

/** What the program has made secret: the plugin's diff names it, its check does not. No event shows whether it has values of `up`. */
function maskedChanges(
  { known, differing, replacedFor, ...step }: MergedStep,
  shown: readonly FieldChange[],
  waits: (property: string) => boolean,
): FieldChange[] {
  const sides = [step.old, step.new].map((state) => asObject(withoutSecrets(state?.inputs ?? {})));
  return differing
    .filter((name) => sides.every((side) => side[name] === SECRET) && !shown.some(({ steps }) => steps[0] === name))
    .map((name) => {
      const change = { steps: [name], before: SECRET, after: waits(name) ? UNKNOWN : SECRET };
      return fieldChange(change, ruleAt(known?.table.fieldRules ?? {}, change.steps), replacedFor);
    });
}

function ownChanges(step: MergedStep, known: KnownKind): FieldChange[] {
  const rules = known.table.fieldRules;
  const sides = sidesOf(step, known);
  const [before, after] = [withoutProviderOnly(rules, sides.before), withoutProviderOnly(rules, sides.after)];
  const differences = changesBetween(rules, seen(before), seen(after));
  return changedPaths(before, after)
    .flatMap(leavesOf)
    .flatMap((path) => {
      const difference = differences.find((each) => isWithin(each.path, path.steps));
      return difference === undefined ? [] : [fieldChange(path, difference.rule, step.replacedFor)];
    });
}

/** The values with all secrets masked, so that secrets are equal on both sides. */
const seen = (values: JsonObject): JsonObject => asObject(withoutSecrets(values));

function isWithin(change: Path, leaf: Path): boolean {
  const length = Math.min(change.length, leaf.length);
  return change.slice(0, length).every((step, index) => step === leaf[index]);
}

function foreignChanges({ old, new: fresh, replacedFor }: MergedStep, isNew: boolean): FieldChange[] {
  const own = (inputs: EventProperties | null | undefined): JsonObject => withoutHidden(asObject(inputs));
  return changedPaths(isNew ? {} : own(old?.inputs), own(fresh?.inputs))
    .flatMap(leavesOf)
    .map((path) => fieldChange(path, { replaceOn: "always" }, replacedFor));
}

/** A part that only one side has, split into its fields; a list of plain values stays in one piece. */
function leavesOf(path: ChangedPath): ChangedPath[] {
  const side = "before" in path ? "before" : "after";
  const value = path[side];
  if (("before" in path && "after" in path) || !isParsedJson(value)) return [path];
  const parts: readonly (readonly [Path[number], unknown])[] = isObject(value)
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    : Array.isArray(value) && value.some((item) => isObject(item) || hasUnknown(item))
      ? [...value.entries()]
      : [];
  if (parts.length === 0) return [path];
  return parts.flatMap(([step, part]) => leavesOf({ steps: [...path.steps, step], [side]: part }));
}

function fieldChange({ steps, ...sides }: ChangedPath, rule: FieldRule, replacedFor: readonly string[]): FieldChange {
  const { before, after } = sides;
  const isUnknown = after === UNKNOWN;
  const isSecret = before === SECRET || after === SECRET || rule.secret === true;
  return {
    steps,
    path: showPath(steps),
    change: !("before" in sides) ? "new" : !("after" in sides) ? "removed" : isUnknown ? "may change" : "changes",
    ...("before" in sides && !isSecret ? { before } : {}),
    ...("after" in sides && !isSecret && !isUnknown ? { after } : {}),
    ...(isSecret ? { secret: true as const } : {}),
    ...(isUnknown ? { unknown: true as const } : {}),
    ...(replacedFor.includes(String(steps[0])) ? { replaces: true as const } : {}),
    rule,
  };
}

/** The secrets that the provider named for the resource (docs/internals/engine.md, trap 27). */
export function toldSecrets({ urn, known }: MergedStep, diagnostics: readonly Diagnostic[]): SecretChange[] {
  const lines = diagnostics.filter((each) => each.urn === urn && each.severity === "debug");
  const told = lines.flatMap(({ message }) => readSecretData(message) ?? []);
  return told.filter(({ field }) => known !== undefined && ruleAt(known.table.fieldRules, [field]).secret);
}

function toldChanges(
  { operation, old, replacedFor }: MergedStep,
  rules: FieldRules,
  secrets: readonly SecretChange[],
): FieldChange[] {
  const before = old?.inputs ?? {};
  return secrets.map(({ field, name, how }) => {
    // If the whole field is unknown, the state shows whether it was there before.
    const isNew = operation === "create" || operation === "adopt" || (name === undefined && !(field in before));
    const path: ChangedPath = {
      steps: name === undefined ? [field] : [field, name],
      ...(how === "new" || (how === "known at up" && isNew) ? {} : { before: SECRET }),
      ...(how === "removed" ? {} : { after: how === "known at up" ? UNKNOWN : SECRET }),
    };
    return fieldChange(path, ruleAt(rules, [field]), replacedFor);
  });
}
