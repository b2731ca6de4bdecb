import { changesBetween, type Change } from "../../lifecycle/fields/diff";
import { asObject, compact, isObject, merge, ownValue, sameJson, UNKNOWN, type JsonObject } from "../../base/json";
import { toWireNames, wireName } from "../../lifecycle/fields/rename";
import type { Fields } from "../../lifecycle/fields/table";
import { DOUBTED, pickInputs } from "../../lifecycle/state";
import { deploymentTable, revisionConfigFields, sourceConfigFields, type DeploymentInputs } from "./fields";
import { supersededBy } from "./revision";
import { askedFor, DeploymentWire, environmentOf, UNDECLARED } from "./wire";

const { fields } = deploymentTable;

export const changesEnvironment = (changes: readonly Change[]): boolean =>
  changes.some(({ path }) => path[0] === "environmentVariables" || path[0] === "secrets");

/** The changes without those of the environment if neither of its maps is declared any more: it is then left as it is. */
export function withoutReleased(
  { environmentVariables, secrets }: DeploymentInputs,
  changes: readonly Change[],
): readonly Change[] {
  const isManaged = environmentVariables !== undefined || secrets !== undefined;
  return isManaged ? changes : changes.filter((change) => !changesEnvironment([change]));
}

const needsRevision = (changes: readonly Change[]): boolean => changes.some(({ rule }) => !rule.withoutRevision);

/** The outputs about revisions that an update to these inputs certainly keeps. @param before The outputs in state. */
export function keptRevisions(inputs: JsonObject, before: JsonObject): string[] {
  const changes = changesBetween(deploymentTable.fieldRules, pickInputs(deploymentTable, before), inputs);
  const isOpen = before[DOUBTED] !== undefined || supersededBy(before["latestRevisionId"]) !== undefined;
  // It may hold a part of what makes a revision.
  const hasExtra = changes.some(({ path }) => path[0] === "extra");
  return isOpen || hasExtra || needsRevision(changes) ? [] : ["latestRevisionId", "secretsRevisionId"];
}

/** True if these changes ask for a new revision even if nothing else changes. */
export const asksAnew = (changes: readonly Change[]): boolean =>
  changes.some(({ path }) => path[0] === "redeployTrigger");

/**
 * Whether an update that creates a revision also sends this unchanged field, if a revision of somebody else differs in it. A variable counts only if this
 * program has changed it before, since an earlier revision may have brought the old value back; otherwise somebody set it by hand, and a read shows it as drift.
 */
export const goesAlong = (change: Change, outputs: JsonObject): boolean =>
  isOfRevision(change) && (!changesEnvironment([change]) || hasChanged(outputs, change.path[1]));

/** True for a field that each revision has for itself, and that answers show. */
export const isOfRevision = ({ rule }: Change): boolean =>
  rule.replaceOn !== "always" && !rule.withoutRevision && rule.notReturned !== "always";

/**
 * Whether this program has changed a variable with an update. States of 0.2.0 do not record names: there, every variable counts if a secret was changed.
 * @param name Undefined for any variable.
 */
function hasChanged({ __changedVariables: names, secretsRevisionId }: JsonObject, name?: string | number): boolean {
  if (Array.isArray(names)) return name === undefined ? names.length > 0 : names.includes(name);
  return typeof secretsRevisionId === "string" && secretsRevisionId !== "";
}

/** The variables that this program has changed with updates, including these changes. */
export function changedVariables(inputs: DeploymentInputs, changes: readonly Change[], before: JsonObject): string[] {
  const { __changedVariables: earlier } = before;
  const known = environmentOf(inputs).flatMap(({ name }) => (hasChanged(before, name) ? [name] : []));
  const named = Array.isArray(earlier) ? earlier.map(String) : [];
  return [...new Set([...named, ...known, ...variablesIn(inputs, changes)])].sort();
}

const variablesIn = ({ environmentVariables, secrets }: DeploymentInputs, changes: readonly Change[]): string[] =>
  changes.flatMap((change) => {
    if (!changesEnvironment([change])) return [];
    const [map, name] = change.path;
    return name === undefined
      ? Object.keys((map === "secrets" ? secrets : environmentVariables) ?? {})
      : [String(name)];
  });

/**
 * The environment of a revision with these changes. It is sent as a whole, so a variable that this program has never changed is sent with its live value,
 * if the platform shows it. With a new `redeployTrigger`, all declared values are sent.
 */
function environmentWith(
  inputs: DeploymentInputs,
  changes: readonly Change[],
  before: JsonObject,
  { secrets }: DeploymentWire,
): JsonObject[] {
  const own = changedVariables(inputs, changes, before);
  return environmentOf(inputs).flatMap(({ name, value }) => {
    const there = secrets?.find((each) => each.name === name);
    // Somebody's, which the program ignores, stays as it is, and is left out once somebody has taken it away.
    if (value === UNDECLARED && secrets && !there) return [];
    const isKept = value === UNDECLARED || !(own.includes(name) || asksAnew(changes));
    return [{ name, value: (isKept ? there?.value : undefined) ?? value }];
  });
}

/** True if a PATCH with this body creates a revision, or may because of an unknown value (docs/internals/platform.md, PATCH of a deployment). */
export function makesRevision(body: JsonObject): boolean {
  const { secrets, source_config: config, source_revision_config: revisionConfig, [UNKNOWN]: any } = body;
  const isGiven = (value: JsonObject[string]): boolean => isObject(value) || value === UNKNOWN;
  const hasVariables = Array.isArray(secrets) ? secrets.length > 0 : secrets === UNKNOWN;
  const hasSpec = config === UNKNOWN || isGiven(specOf(body));
  return isGiven(revisionConfig) || hasSpec || hasVariables || any !== undefined;
}

/**
 * The PATCH that makes only these changes; fields that are not sent keep their values. The platform overwrites `secrets`, `resource_spec` and
 * `source_revision_config` as a whole, so each is either sent whole, merged over the live one, or not sent.
 * @param before The previous declaration: revision settings that are no longer declared are not carried over from the live object.
 */
export function patchOf(
  inputs: DeploymentInputs,
  differences: readonly Change[],
  before: JsonObject,
  live: DeploymentWire = declaredLive(before),
): JsonObject {
  const changes = withoutReleased(inputs, differences);
  const environment = environmentWith(inputs, changes, before, live);
  const whole = wholeOf(inputs, environment);
  const body = changedPart(whole, inputs, changes, before);
  const isAnew = asksAnew(changes);
  const unchanged = [
    // One of three fields has to be sent to create a revision. If none of them changed, the revision's configuration is sent again.
    ...(needsRevision(changes) && (isAnew || !makesRevision(body)) ? ["source_revision_config"] : []),
    // A new redeployTrigger sends the declared environment, because answers may not show that the live one differs.
    ...(isAnew && environment.length > 0 ? ["secrets"] : []),
  ];
  return overLive({ ...body, ...pick(whole, unchanged) }, live, inputs, before);
}

const pick = (object: JsonObject, names: readonly string[]): JsonObject =>
  compact(Object.fromEntries(names.map((name) => [name, object[name]])));

/** The previous declaration, in the form of an answer. */
const declaredLive = (before: JsonObject): DeploymentWire =>
  DeploymentWire.parse({ ...compact(toWireNames(fields, before)), id: "as declared" });

/** The whole declaration as a PATCH, with `extra`. */
function wholeOf(inputs: DeploymentInputs, environment: JsonObject[]): JsonObject {
  const unset = {
    source_config: { build_on_push: false, resource_spec: {} },
    source_revision_config: {},
    secret_references: [],
  };
  const declared = { ...toWireNames(fields, compact(inputs)), secrets: environment };
  return merge(merge(unset, declared), { ...inputs.extra });
}

/** The fields with these changes; of `source_config`, which a PATCH can change in part, only its changed fields. */
function changedPart(
  whole: JsonObject,
  inputs: DeploymentInputs,
  changes: readonly Change[],
  before: JsonObject,
): JsonObject {
  const changed = changes.map(({ path }) => path[0]);
  const extra = changed.includes("extra") ? newIn(asObject(before["extra"]), { ...inputs.extra }) : {};
  const body = pick(whole, [...sentNames(fields, changed), ...Object.keys(extra)]);
  const { source_config: config } = body;
  if (!isObject(config)) return body;
  const inConfig = changes.flatMap(({ path: [first, name] }) => (first === "sourceConfig" ? [name] : []));
  const names = [...sentNames(sourceConfigFields, inConfig), ...Object.keys(asObject(extra["source_config"]))];
  return { ...body, source_config: pick(config, names) };
}

/** The platform's names of the fields that can change in place, of those that are named. */
const sentNames = (rows: Fields, named: readonly unknown[]): string[] =>
  Object.entries(rows).flatMap(([name, row]) =>
    named.includes(name) && row.replaceOn !== "always" ? (row.carriedBy ?? wireName(name, row) ?? []) : [],
  );

/** The values of `after` that `before` does not have. */
function newIn(before: JsonObject, after: JsonObject): JsonObject {
  const values = Object.entries(after).map(([name, value]): [string, JsonObject[string]] => {
    const old = ownValue(before, name);
    if (!isObject(old) || !isObject(value)) return [name, sameJson(old, value) ? undefined : value];
    const below = newIn(old, value);
    return [name, Object.keys(below).length > 0 ? below : undefined];
  });
  return compact(Object.fromEntries(values));
}

/** The platform overwrites two objects as a whole, so the body gets their live values below the new ones. */
function overLive(body: JsonObject, live: DeploymentWire, inputs: DeploymentInputs, before: JsonObject): JsonObject {
  const spec = isObject(specOf(body)) ? withoutNulls(live.source_config?.["resource_spec"]) : undefined;
  const isWhole = isObject(body["source_revision_config"]);
  const below = {
    source_config: spec && { resource_spec: spec },
    source_revision_config: isWhole ? revisionConfigOf(live, inputs, before) : undefined,
  };
  return merge(compact(below), body);
}

/** The current revision configuration as it was requested, without settings that the program no longer declares. */
function revisionConfigOf(live: DeploymentWire, inputs: DeploymentInputs, declaredBefore: JsonObject): JsonObject {
  const [before, now] = [declaredBefore["sourceRevisionConfig"], inputs.sourceRevisionConfig].map((config) =>
    toWireNames(revisionConfigFields, { ...asObject(config) }),
  );
  const isGone = (name: string): boolean => before?.[name] !== undefined && now?.[name] === undefined;
  return Object.fromEntries(Object.entries(withoutNulls(askedFor(live))).filter(([name]) => !isGone(name)));
}

/** The PATCH that runs the image of a revision, or its upload, and leaves all else as it is; undefined if it has neither. */
export function imagePatch(revision: DeploymentWire): JsonObject | undefined {
  const config = withoutNulls(askedFor(revision));
  // The image of a repository is the platform's: it takes only what to build.
  const isImage = revision.source !== "github" && (config["image_uri"] ?? config["source_tarball_path"]) !== undefined;
  return isImage ? { source_revision_config: config } : undefined;
}

const specOf = ({ source_config: config }: JsonObject): JsonObject[string] => asObject(config)["resource_spec"];

const withoutNulls = (value: unknown): JsonObject =>
  Object.fromEntries(Object.entries(asObject(value)).filter(([, entry]) => entry !== null));
