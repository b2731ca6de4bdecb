import { byTexts } from "../base/printable";
import { resolveConnection } from "../../provider/base/connection";
import type { SettingPlace } from "../../provider/base/places";
import { nameInUrn } from "../../provider/base/engine-format";
import { asObject, hasUnknown, UNKNOWN } from "../../provider/base/json";
import { configKey } from "../../provider/base/settings";
import type { SecretChange } from "../../provider/lifecycle/fields/secret-names";
import { ORIGIN, originsOf } from "../../provider/lifecycle/identity/origin";
import { keepsNaturalKey } from "../../provider/lifecycle/refusals";
import { perhaps, type PlannedRequest } from "../../provider/lifecycle/plan";
import { shownReasons } from "../base/pulumi";
import { type EventProperties, type EventState, kindOf, type Violation } from "../base/engine-events";
import { fieldChanges, toldSecrets, type FieldChange } from "./changes";
import {
  consequencesOfChange,
  isInTheWay,
  removalOf,
  riskOf,
  titleOf,
  wholeOf,
  type Changed,
  type Surroundings,
} from "./consequences";
import { headlineOf } from "./headline";
import { planOf, sidesOf } from "./plans";
import {
  OPERATIONS,
  type Review,
  type ReviewedField,
  type ReviewedObject,
  type ReviewedPolicy,
  type ReviewedRequest,
  type Risk,
  RISKS,
} from "./review";
import type { Preview } from "./preview";
import { maybeRenamed } from "./renames";
import { isHalfDone, mergedSteps, type IsSamePlace, type MergedStep } from "./steps";

/** At which risk a review is refused. */
export type FailOn = "replacement" | "deletion";

/** The review of a preview: the same for the same events, byte for byte. */
export function reviewOf(preview: Preview, failOn: FailOn | undefined): Review {
  const { stack, events } = preview;
  const objects = reviewedObjects(preview);
  const policies = events.violations.map(policyOf).sort(byTexts(policyTexts));
  const errors = errorsOf(preview, policies);
  const risk = worst(objects.map((object) => object.risk));
  const refusals = [...refusedRisk(risk, failOn), ...refusedPolicies(policies)];
  const happens = objects.some(({ operation }) => operation !== "move");
  const result = errors.length > 0 ? "failed" : refusals.length > 0 ? "refused" : happens ? "changes" : "no changes";
  const unchanged = stepsOf(preview).filter(isUnchanged).length;
  const facts = { stack, result, risk, refusals, objects, unchanged } as const;
  const warnings = [...events.warnings].sort();
  return { version: 1, ...facts, headline: headlineOf(facts), errors, policies, warnings };
}

const stepsOf = ({ events, deletedWith }: Preview): MergedStep[] => mergedSteps(events.begun, deletedWith);

function reviewedObjects(preview: Preview): ReviewedObject[] {
  const steps = stepsOf(preview);
  const isSame: IsSamePlace = (provider, old) => isSamePlace(provider, old, preview);
  const around = { dependencies: preview.dependencies, isSamePlace: isSame };
  const some = steps.map((step) => changedBy(step, steps, preview, isSame));
  const all = some.map((object) => followed(object, { ...around, all: some }));
  return all.flatMap((object) => reviewedObject(object, { ...around, all })).sort(byRisk);
}

function changedBy(given: MergedStep, steps: readonly MergedStep[], preview: Preview, isSame: IsSamePlace): Changed {
  const told = toldSecrets(given, preview.events.diagnostics);
  const from = preview.dependencies[given.urn] ?? {};
  const waits = (property: string): boolean =>
    steps.some(({ urn, operation }) => operation !== undefined && from[property]?.includes(urn));
  const step = maybeReplaced(given, fieldChanges(given, told, waits), preview);
  const fields = fieldChanges(step, told, waits);
  const isCertain = step === given && isSure(step, fields);
  const removal = removalOf(step, steps, (each) => isDeletable(each, preview), isSame);
  // A change without a visible field may be in any secret.
  const secrets = fields.length > 0 || !step.isUpdated ? told : anySecret(step);
  const isRefused = isInTheWay(step, fields, removal);
  const plan = planOf(step, { secrets, isCertain, isDeleted: !isRefused && removal.isSent });
  // What the platform would refuse is sent, unless a look comes first; where an own key finds the old object, nothing is.
  const tried = plan.requests.filter((each) => each.isCertain || !isCertain).map(perhaps);
  return { ...step, fields, isCertain, removal, plan: isRefused ? { ...plan, requests: tried } : plan };
}

/**
 * The engine asks for no diff where a connection has values of `up`, and says update: what the table does not change in place may be replaced.
 * Where the contract is such a value, it may be the documented one.
 */
function maybeReplaced(step: MergedStep, fields: readonly FieldChange[], preview: Preview): MergedStep {
  const { operation, known, new: fresh } = step;
  const provider = fresh?.provider;
  if (operation !== "update" || known === undefined || !hasUnknown(asObject(inputsOf(provider, preview.events))))
    return step;
  const contract = settingOf(provider, preview.events)("contract");
  const isReplacing = ({ rule: { replaceOn } }: FieldChange): boolean =>
    replaceOn === "always" || (replaceOn === "documented" && (contract === "documented" || contract === UNKNOWN));
  const names = fields.filter(isReplacing).map(({ steps }) => String(steps[0]));
  if (names.length === 0) return step;
  const { before, after } = sidesOf(step, known);
  const deletesFirst = isDeletable(step, preview) && keepsNaturalKey(known.table, before, after);
  return { ...step, operation: "replace", replacedFor: names, isOldDeleted: true, deletesFirst };
}

/** A wait or a check for a revision whose successor is certain to be made is itself certain. */
function followed(object: Changed, around: Surroundings): Changed {
  const isNext = ({ path, change }: FieldChange): boolean => path === "revisionId" && change === "may change";
  if (object.known?.table.acts === undefined || !object.fields.some(isNext) || !hasNewRevision(object, around))
    return object;
  const fields = object.fields.map((field) => (isNext(field) ? { ...field, change: "changes" as const } : field));
  return { ...object, fields, isCertain: true };
}

const hasNewRevision = ({ urn }: Changed, around: Surroundings): boolean =>
  around.all.some(
    (each) =>
      around.dependencies[urn]?.["revisionId"]?.includes(each.urn) &&
      (each.plan.revision === "certain" || hasNewRevision(each, around)),
  );

/** None if nothing happens to it. */
function reviewedObject(object: Changed, around: Surroundings): ReviewedObject[] {
  const { urn, type, kind, name, operation, old, fields, isCertain, plan, removal } = object;
  if (operation === undefined) return [];
  const consequences = [...consequencesOfChange(object, around), ...maybeRenamed(object, around)];
  const whole = wholeOf(object, around);
  return [
    {
      ...{ urn, type, kind, name },
      ...(old === undefined || old.id === "" ? {} : { id: old.id }),
      operation: operation === "delete" && removal.stays !== undefined ? "leave" : operation,
      certain: isCertain,
      risk: riskOf(object, consequences),
      consequences,
      ...(whole === undefined ? {} : { partOf: whole.urn }),
      requests: plan.requests.map(reviewedRequest),
      fields: fields.map((field) => reviewedField(field, waitedFor(object, field, around))),
    },
  ];
}

/** An update is certain if some field certainly changes; a replacement, if a field that cannot change in place certainly does. */
function isSure(step: MergedStep, fields: readonly FieldChange[]): boolean {
  const { operation, replacedFor } = step;
  if (isHalfDone(step)) return true;
  if (operation !== "update" && operation !== "replace") return true;
  const reasons = fields.filter(({ replaces }) => replaces);
  const deciding = operation === "replace" && replacedFor.length > 0 ? reasons : fields;
  return deciding.length === 0 || deciding.some(({ change }) => change !== "may change");
}

const anySecret = ({ known }: MergedStep): SecretChange[] =>
  Object.entries(known?.table.fields ?? {}).flatMap(([field, { secret }]) =>
    secret ? [{ field, how: "known at up" as const }] : [],
  );

function reviewedRequest({ method, fields, isCertain }: PlannedRequest): ReviewedRequest {
  const named = (certain: boolean): string[] =>
    fields.filter((field) => field.isCertain === certain).map(({ name }) => name);
  return { method, certain: isCertain, fields: named(true), mayHave: named(false) };
}

const ORDER = Object.keys(OPERATIONS);

function byRisk(a: ReviewedObject, b: ReviewedObject): number {
  return (
    RISKS.indexOf(b.risk) - RISKS.indexOf(a.risk) ||
    Number(b.certain) - Number(a.certain) ||
    ORDER.indexOf(a.operation) - ORDER.indexOf(b.operation) ||
    byTexts(({ kind, name, urn }: ReviewedObject) => [kind, name, urn])(a, b)
  );
}

function reviewedField(
  { steps: _, rule: __, replaces, ...shown }: FieldChange,
  waitsFor: readonly string[],
): ReviewedField {
  const waits = shown.unknown && waitsFor.length > 0 ? { waitsFor } : {};
  return { ...shown, ...waits, ...(replaces && { replaces }) };
}

/** The changed objects from which the value of a field comes. */
function waitedFor({ urn, new: fresh }: Changed, { steps }: FieldChange, around: Surroundings): string[] {
  const known = around.dependencies[urn];
  const from = known === undefined ? [fresh?.parent ?? ""] : (known[String(steps[0])] ?? []);
  const changing = around.all.filter((each) => from.includes(each.urn) && each.operation !== undefined);
  return changing.map(titleOf).sort();
}

/** False under the documented contract for a kind that it cannot delete. */
function isDeletable({ known, old }: MergedStep, { events }: Preview): boolean {
  if (known === undefined || !known.table.undocumented?.includes("delete")) return true;
  return settingOf(old?.provider, events)("contract") !== "documented";
}

/** The settings of a connection, given by the `provider` of a state (`urn::id`), as far as the events show them; a secret one is masked. */
function settingOf(provider: string | undefined, events: Preview["events"]): SettingPlace {
  const inputs = inputsOf(provider, events);
  return (setting) => {
    const given = inputs[configKey(setting)] ?? inputs[setting] ?? events.configuration[configKey(setting)];
    return typeof given === "string" ? given : undefined;
  };
}

/** The inputs of a connection, given by the `provider` of a state; the old ones where it leaves. */
function inputsOf(provider = "", { begun }: Preview["events"]): EventProperties {
  const connection = provider.split("::").slice(0, -1).join("::");
  const own = begun.filter(({ urn }) => urn === connection);
  return (own.find((step) => step.new)?.new ?? own.find((step) => step.old)?.old)?.inputs ?? {};
}

/** Compares the address and the tenant of a connection with the origin in a state (docs/internals/design.md, Origin). */
function isSamePlace(provider: string | undefined, { outputs }: EventState, { events }: Preview) {
  const given = settingOf(provider, events);
  // The key does not matter here, and is masked.
  const shown: SettingPlace = (setting) =>
    setting === "apiKey" ? "masked" : setting === "bearerToken" ? undefined : given(setting);
  const resolved = resolveConnection(shown, {});
  const { [ORIGIN]: origin, tenantId } = outputs ?? {};
  if ("problems" in resolved || typeof origin !== "string") return undefined;
  const { connection } = resolved;
  const isAt = (tenant: unknown): boolean =>
    originsOf(connection, typeof tenant === "string" ? tenant : undefined).includes(origin);
  if (connection.tenantId !== undefined && typeof tenantId === "string" && connection.tenantId !== tenantId)
    return false;
  if (connection.tenantId !== undefined && isAt(connection.tenantId)) return true;
  // Without a tenantId, the key decides, and that is masked.
  return isAt(undefined) || isAt(tenantId) ? "perhaps" : false;
}

function policyOf({ policyPackName, policyName, enforcementLevel, resourceUrn, message }: Violation): ReviewedPolicy {
  return {
    pack: policyPackName,
    policy: policyName,
    level: enforcementLevel,
    ...(resourceUrn === "" ? {} : { object: `${kindOf(resourceUrn)} ${nameInUrn(resourceUrn)}` }),
    message: message.trim(),
  };
}

const policyTexts = ({ level, pack, policy, object = "", message }: ReviewedPolicy): string[] => [
  level === "mandatory" ? "0" : "1",
  pack,
  policy,
  object,
  message,
];

/** What the engine adds to every reason. */
const NO_REASON = "preview failed";

/** A preview that fails only because of policies is still complete. */
function errorsOf({ events, failure }: Preview, policies: readonly ReviewedPolicy[]): readonly string[] {
  if (events.succeeded && failure.length === 0) return [];
  const reasons = events.errors.filter((error) => error !== NO_REASON);
  if (reasons.length > 0) return reasons.sort();
  if (policies.some(({ level }) => level === "mandatory")) return [];
  if (failure.length === 0) return ["the engine stopped before its preview was complete"];
  // A policy pack that does not start says why on its standard error alone, which belongs to no resource.
  const printed = events.diagnostics.filter(({ severity, urn }) => severity === "info#err" && urn === "");
  return printed.length === 0 ? failure : [failure.join("\n") + shownReasons(printed.map(({ message }) => message))];
}

const worst = (risks: readonly Risk[]): Risk =>
  RISKS[Math.max(0, ...risks.map((risk) => RISKS.indexOf(risk)))] ?? "none";

function refusedRisk(risk: Risk, failOn: FailOn | undefined): string[] {
  if (failOn === undefined || RISKS.indexOf(risk) < RISKS.indexOf(failOn)) return [];
  return [`--fail-on ${failOn}: there is a ${risk}`];
}

function refusedPolicies(policies: readonly ReviewedPolicy[]): string[] {
  const count = policies.filter(({ level }) => level === "mandatory").length;
  if (count === 0) return [];
  return [count === 1 ? "a mandatory policy is violated" : `${count} violations of mandatory policies`];
}

/** Counts what a change of it would count: a Rollout belongs to its Deployment. */
function isUnchanged({ operation, new: fresh, known }: MergedStep): boolean {
  return operation === undefined && fresh?.external !== true && known?.kind !== "Rollout";
}
