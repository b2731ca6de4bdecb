import type { Change } from "../../lifecycle/fields/diff";
import { compact, isObject, merge, sameJson, UNKNOWN, type Json, type JsonObject } from "../../base/json";
import { changedExtra, toWireNames } from "../../lifecycle/fields/rename";
import { deploymentTable, type DeploymentInputs } from "./fields";
import {
  askedFor,
  environmentOf,
  referencesToWire,
  resourceSpecToWire,
  revisionConfigToWire,
  sourceConfigToWire,
  DeploymentWire,
} from "./wire";

/** True if these changes reach the environment. */
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

/** True if these changes take effect only in a new revision. */
const needsRevision = (changes: readonly Change[]): boolean => changes.some(({ rule }) => !rule.withoutRevision);

/** True if these changes ask for a new revision even if nothing else changes. */
export const asksAnew = (changes: readonly Change[]): boolean =>
  changes.some(({ path }) => path[0] === "redeployTrigger");

/**
 * Whether an update that creates a revision also sends this unchanged field, if a revision of somebody else differs in it. A variable counts only if this
 * program has changed it before, since an earlier revision may have brought the old value back; otherwise somebody set it by hand, and a read shows it as drift.
 */
export function goesAlong(change: Change, outputs: JsonObject): boolean {
  const { path, rule } = change;
  const isOfRevision = rule.replaceOn !== "always" && !rule.withoutRevision && rule.notReturned !== "always";
  return isOfRevision && (!changesEnvironment([change]) || hasChanged(outputs, path[1]));
}

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
  const live = asksAnew(changes) ? [] : (secrets ?? []);
  return environmentOf(inputs).map(({ name, value }) => {
    const shown = own.includes(name) ? undefined : live.find((each) => each.name === name)?.value;
    return { name, value: shown ?? value };
  });
}

/** True if a PATCH with this body creates a revision, or may because of an unknown value (docs/internals/platform.md, PATCH of a deployment). */
export function makesRevision(body: JsonObject): boolean {
  const { secrets, source_config: config, source_revision_config: revisionConfig, [UNKNOWN]: any } = body;
  const isGiven = (value: Json | undefined): boolean => isObject(value) || value === UNKNOWN;
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
  const body = declaredPatch(inputs, changes, environmentWith(inputs, changes, before, live));
  const extra = changes.some(({ path }) => path[0] === "extra") ? newExtra(before["extra"], inputs.extra) : {};
  const whole = withExtra(body, inputs, extra);
  const isMade = makesRevision(whole) && !asksAnew(changes);
  if (!needsRevision(changes) || isMade) return overLive(whole, live, inputs, before);
  // One of three fields has to be sent to create a revision. If none of them changed, the revision's configuration is sent again.
  const again = { ...body, source_revision_config: revisionConfigToWire(inputs) };
  return overLive(withExtra(again, inputs, extra), live, inputs, before);
}

/** The previous declaration, in the form of an answer. */
const declaredLive = (before: JsonObject): DeploymentWire =>
  DeploymentWire.parse({ ...compact(toWireNames(deploymentTable.fields, before)), id: "as declared" });

function declaredPatch(
  inputs: DeploymentInputs,
  changes: readonly Change[],
  environment: readonly JsonObject[],
): JsonObject {
  const changed = new Set(changes.map(({ path }) => String(path[0])));
  const config = sourceConfigPatch(inputs, changes);
  // With a new redeployTrigger, the declared environment is sent, because answers may not show that the live one differs.
  const hasEnvironment = asksAnew(changes) && environment.length > 0;
  return compact({
    source_config: Object.keys(config).length > 0 ? config : undefined,
    secrets: changesEnvironment(changes) || hasEnvironment ? [...environment] : undefined,
    secret_references: changed.has("secretReferences") ? (referencesToWire(inputs) ?? []) : undefined,
    display_name: changed.has("displayName") ? inputs.displayName : undefined,
    source_revision_config: changed.has("sourceRevisionConfig") ? revisionConfigToWire(inputs) : undefined,
  });
}

function sourceConfigPatch(inputs: DeploymentInputs, changes: readonly Change[]): JsonObject {
  const declared = sourceConfigToWire(inputs);
  const changed = new Set(changes.filter(({ path }) => path[0] === "sourceConfig").map(({ path }) => path[1]));
  const isChanged = (name: string): boolean => changed.has(name) || changed.has(undefined);
  return compact({
    build_on_push: isChanged("buildOnPush") ? (inputs.sourceConfig?.buildOnPush ?? false) : undefined,
    custom_url: isChanged("customUrl") ? declared["custom_url"] : undefined,
    install_command: isChanged("installCommand") ? declared["install_command"] : undefined,
    build_command: isChanged("buildCommand") ? declared["build_command"] : undefined,
    resource_spec: isChanged("resourceSpec") ? resourceSpecToWire(inputs) : undefined,
  });
}

/** The changed part of `extra`. Of an object that a PATCH can change in part, only the changed keys. */
function newExtra(before: Json | undefined, after: Json | undefined): JsonObject {
  const old = isObject(before) ? before : {};
  const { source_config: config, source_revision_config: revisionConfig, ...changed } = changedExtra(old, after);
  const oldConfig = isObject(old["source_config"]) ? old["source_config"] : {};
  const { resource_spec: spec, ...parts } = isObject(config) ? changedExtra(oldConfig, config) : {};
  const newConfig = isObject(config)
    ? { ...parts, resource_spec: hasNew(oldConfig["resource_spec"], spec) ? spec : undefined }
    : config;
  return compact({
    ...changed,
    source_config: isObject(newConfig) && Object.keys(compact(newConfig)).length === 0 ? undefined : newConfig,
    source_revision_config: hasNew(old["source_revision_config"], revisionConfig) ? revisionConfig : undefined,
  });
}

/** Whether `after` has a value that `before` does not have. */
function hasNew(before: Json | undefined, after: Json | undefined): boolean {
  if (after === undefined || !isObject(after)) return after !== undefined && !sameJson(before, after);
  const old = isObject(before) ? before : {};
  return Object.entries(after).some(([name, value]) => hasNew(old[name], value));
}

/** The body with the changed part of `extra`, and with all of `extra` inside objects that the platform overwrites as a whole. */
function withExtra(given: JsonObject, { extra = {} }: DeploymentInputs, changed: JsonObject): JsonObject {
  const body = merge(given, changed);
  const { source_revision_config: revisionConfig } = extra;
  const overwritten = compact({
    source_revision_config: isObject(body["source_revision_config"]) ? revisionConfig : undefined,
    source_config: isObject(specOf(body)) ? compact({ resource_spec: specOf({ ...extra }) }) : undefined,
  });
  return merge(body, overwritten);
}

function overLive(body: JsonObject, live: DeploymentWire, inputs: DeploymentInputs, before: JsonObject): JsonObject {
  const { source_config: config, source_revision_config: revisionConfig } = body;
  const spec = specOf(body);
  return {
    ...body,
    ...(isObject(config) && isObject(spec)
      ? {
          source_config: { ...config, resource_spec: merge(withoutNulls(live.source_config?.["resource_spec"]), spec) },
        }
      : {}),
    ...(isObject(revisionConfig)
      ? { source_revision_config: merge(revisionConfigOf(live, inputs, before), revisionConfig) }
      : {}),
  };
}

/** The current revision configuration as it was requested, without settings that the program no longer declares. */
function revisionConfigOf(live: DeploymentWire, inputs: DeploymentInputs, declaredBefore: JsonObject): JsonObject {
  const declared = revisionConfigToWire(inputs);
  const before = isObject(declaredBefore["sourceRevisionConfig"])
    ? { sourceRevisionConfig: declaredBefore["sourceRevisionConfig"] }
    : {};
  const gone = Object.keys(revisionConfigToWire(before)).filter((name) => declared[name] === undefined);
  return Object.fromEntries(Object.entries(withoutNulls(askedFor(live))).filter(([name]) => !gone.includes(name)));
}

const specOf = ({ source_config: config }: JsonObject): Json | undefined =>
  isObject(config) ? config["resource_spec"] : undefined;

const withoutNulls = (value: unknown): JsonObject =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null)) : {};
