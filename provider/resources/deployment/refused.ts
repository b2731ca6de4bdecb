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
  type Source,
  SOURCE_NAMES,
  sourceRow,
  type SourceRow,
  TAG,
} from "./sources";

/**
 * The inputs that official sources refuse (sources.ts), one problem per mistake. Never refuses unknown values, or values of a wrong type, which
 * the schema reports.
 */
export function refusedOf(inputs: JsonObject): Problem[] {
  const { source } = inputs;
  const row = isSource(source) ? sourceRow(source) : undefined;
  const isTaken = (place: ArgumentPlace): boolean => row?.refuses.has(place) !== true;
  return [
    ...(isOther(source, SOURCE_NAMES) ? [{ path: ["source"], reason: `must be ${choices(SOURCE_NAMES)}` }] : []),
    ...(isSource(source) ? bySource(inputs, source) : []),
    ...(isTaken("sourceConfig.buildOnPush") ? tagOnPush(inputs) : []),
    ...(isTaken("sourceConfig.resourceSpec") ? coresOutOfRange(inputs) : []),
    ...reservedNames(inputs, source, isTaken("secretReferences")),
  ];
}

/** Whether a value is known, and none of these. */
const isOther = (value: Json | undefined, known: readonly string[]): boolean =>
  typeof value === "string" && value !== "" && value !== UNKNOWN && !known.includes(value);

function bySource(inputs: JsonObject, source: Source): Problem[] {
  const row: SourceRow = sourceRow(source);
  const by = `with source "${source}"`;
  const has = (place: ArgumentPlace): boolean => standingOf(inputs, place) === "given";
  const lacks = (place: ArgumentPlace): boolean => standingOf(inputs, place) === "absent";
  const missing = row.needs.filter(lacks).map((place): Problem => {
    const which = place === "sourceConfig.deploymentType" ? `: ${choices(DEPLOYMENT_TYPES)}` : "";
    return { path: place.split("."), reason: `is required ${by}${which}` };
  });
  const { needsOneOf = [] } = row;
  const lacksAll = needsOneOf.length > 0 && needsOneOf.every((places) => places.some(lacks));
  const refused = [...row.refuses].flatMap(([place, why]): Problem[] =>
    has(place) ? [{ path: place.split("."), reason: `must not be set ${by}: ${why}` }] : [],
  );
  return [
    ...missing,
    ...(lacksAll ? [{ path: ["sourceRevisionConfig"], reason: `needs ${alternatives(needsOneOf)} ${by}` }] : []),
    ...refused,
    ...(row.needs.includes("sourceConfig.deploymentType") ? strangeType(inputs, by) : []),
  ];
}

/** A known value of `deploymentType` that is none of the platform's. */
function strangeType(inputs: JsonObject, by: string): Problem[] {
  const type = valueAt(inputs, ["sourceConfig", "deploymentType"]);
  if (!isOther(type, [...DEPLOYMENT_TYPES, ...OTHER_DEPLOYMENT_TYPES])) return [];
  return [{ path: ["sourceConfig", "deploymentType"], reason: `must be ${choices(DEPLOYMENT_TYPES)} ${by}` }];
}

/** The two are judged together: either may be the one that changes. */
function tagOnPush(inputs: JsonObject): Problem[] {
  const ref = valueAt(inputs, ["sourceRevisionConfig", "repoRef"]);
  if (typeof ref !== "string" || !ref.startsWith(TAG)) return [];
  if (valueAt(inputs, ["sourceConfig", "buildOnPush"]) !== true) return [];
  const reason = `must not be true if sourceRevisionConfig.repoRef is a tag (${TAG}...): only branches receive pushes`;
  return [{ path: ["sourceConfig", "buildOnPush"], reason }];
}

function coresOutOfRange(inputs: JsonObject): Problem[] {
  const config = asObject(inputs["sourceConfig"]);
  return Object.entries(asObject(config["resourceSpec"])).flatMap(([name, cores]): Problem[] => {
    const range = coresOf(name);
    if (range === undefined || typeof cores !== "number") return [];
    const { least, most } = range;
    const isOut = cores < least || cores > most;
    return isOut ? [{ path: ["sourceConfig", "resourceSpec", name], reason: `must be ${least} to ${most} cores` }] : [];
  });
}

/** @param hasReferences False where the source takes no references: they are refused as a whole. */
function reservedNames(inputs: JsonObject, source: Json | undefined, hasReferences: boolean): Problem[] {
  return variablesOf(hasReferences ? inputs : { ...inputs, secretReferences: undefined }).flatMap(({ name, path }) => {
    const reason = reservation(name, source);
    return reason === undefined ? [] : [{ path, reason: `${reason}; choose another name` }];
  });
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
