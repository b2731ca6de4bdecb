import { asObject, isObject, type Json, type JsonObject, UNKNOWN } from "../../base/json";
import { type Problem, valueAt } from "../../lifecycle/fields/fields";
import { variablesOf } from "./fields";
import {
  alternatives,
  type ArgumentPlace,
  choices,
  coresOf,
  DEPLOYMENT_TYPES,
  isSource,
  OTHER_DEPLOYMENT_TYPES,
  RESERVED_NAMES,
  SOURCE_NAMES,
  sourceRow,
  type SourceRow,
  TAG,
} from "./sources";

/**
 * The inputs that official sources refuse (sources.ts), one problem per mistake. Never refuses unknown values, or values of a wrong type, which
 * the schema reports.
 */
export function* refusedOf(inputs: JsonObject): Generator<Problem> {
  const { source } = inputs;
  const row = isSource(source) ? sourceRow(source) : undefined;
  const isTaken = (place: ArgumentPlace): boolean => row?.refuses.has(place) !== true;
  if (isOther(source, SOURCE_NAMES)) yield { path: ["source"], reason: `must be ${choices(SOURCE_NAMES)}` };
  if (isSource(source)) yield* bySource(inputs, sourceRow(source), `with source "${source}"`);
  if (isTaken("sourceConfig.buildOnPush")) yield* tagOnPush(inputs);
  if (isTaken("sourceConfig.resourceSpec")) yield* coresOutOfRange(inputs);
  // A source that takes no references refuses them as a whole.
  const named = isTaken("secretReferences") ? inputs : { ...inputs, secretReferences: undefined };
  for (const { name, path } of variablesOf(named)) {
    const reason = reservation(name, source);
    if (reason !== undefined) yield { path, reason: `${reason}; choose another name` };
  }
}

/** Whether a value is known, and none of these. */
const isOther = (value: Json | undefined, known: readonly string[]): boolean =>
  typeof value === "string" && value !== "" && value !== UNKNOWN && !known.includes(value);

/** @param by The source, for messages. */
function* bySource(inputs: JsonObject, { needs, needsOneOf = [], refuses }: SourceRow, by: string): Generator<Problem> {
  const lacks = (place: ArgumentPlace): boolean => standingOf(inputs, place) === "absent";
  for (const place of needs.filter(lacks)) {
    const which = place === "sourceConfig.deploymentType" ? `: ${choices(DEPLOYMENT_TYPES)}` : "";
    yield { path: place.split("."), reason: `is required ${by}${which}` };
  }
  if (needsOneOf.length > 0 && needsOneOf.every((places) => places.some(lacks)))
    yield { path: ["sourceRevisionConfig"], reason: `needs ${alternatives(needsOneOf)} ${by}` };
  for (const [place, why] of refuses)
    if (standingOf(inputs, place) === "given")
      yield { path: place.split("."), reason: `must not be set ${by}: ${why}` };
  // A known value that is none of the platform's.
  const path = ["sourceConfig", "deploymentType"];
  const isStrange = isOther(valueAt(inputs, path), [...DEPLOYMENT_TYPES, ...OTHER_DEPLOYMENT_TYPES]);
  if (isStrange && needs.includes("sourceConfig.deploymentType"))
    yield { path, reason: `must be ${choices(DEPLOYMENT_TYPES)} ${by}` };
}

/** The two are judged together: either may be the one that changes. */
function* tagOnPush(inputs: JsonObject): Generator<Problem> {
  const ref = valueAt(inputs, ["sourceRevisionConfig", "repoRef"]);
  const path = ["sourceConfig", "buildOnPush"];
  const reason = `must not be true if sourceRevisionConfig.repoRef is a tag (${TAG}...): only branches receive pushes`;
  if (typeof ref === "string" && ref.startsWith(TAG) && valueAt(inputs, path) === true) yield { path, reason };
}

function* coresOutOfRange(inputs: JsonObject): Generator<Problem> {
  const path = ["sourceConfig", "resourceSpec"];
  for (const [name, cores] of Object.entries(asObject(valueAt(inputs, path)))) {
    const range = coresOf(name);
    if (range !== undefined && typeof cores === "number" && (cores < range.least || cores > range.most))
      yield { path: [...path, name], reason: `must be ${range.least} to ${range.most} cores` };
  }
}

/** Why a variable of a deployment from this source cannot have this name; undefined where it can. */
export function reservation(name: string, source: Json | undefined): string | undefined {
  if (RESERVED_NAMES.everywhere.includes(name)) return "is a name that the platform reserves";
  const isOnCloud = isSource(source) && sourceRow(source).isOnCloud;
  return isOnCloud && RESERVED_NAMES.onCloud.includes(name)
    ? `is a name that the platform reserves with source "${source}"`
    : undefined;
}

/** Whether a field is set. "open": it is unknown, or a parent has a wrong type. */
function standingOf(inputs: JsonObject, place: ArgumentPlace): "given" | "absent" | "open" {
  let value: Json | undefined = inputs;
  for (const step of place.split(".")) {
    if (value === undefined) return "absent";
    if (!isObject(value)) return "open";
    value = value[step];
  }
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "absent";
  return value === UNKNOWN || value === null ? "open" : "given";
}
