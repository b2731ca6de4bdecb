import type { Change } from "../../lifecycle/diff";
import { isObject, merge, type JsonObject } from "../../lifecycle/json";
import type { DeploymentInputs } from "./schema";
import {
  environmentOf,
  referencesToWire,
  resourceSpecToWire,
  revisionConfigToWire,
  sourceConfigToWire,
  type DeploymentWire,
} from "./wire";

/** Fields that take effect without a new revision (platform-facts.md, Deployments); every other change asks for one. */
const WITHOUT_REVISION = new Set(["displayName", "sourceConfig.customUrl", "sourceConfig.buildOnPush", "extra"]);

const pathOf = ({ path }: Change): string => path.slice(0, 2).join(".");

/** True where these changes reach the environment, whose values the platform does not show. */
export const changesEnvironment = (changes: readonly Change[]): boolean =>
  changes.some(({ path }) => path[0] === "environmentVariables" || path[0] === "secrets");

/** True where these changes take effect in a new revision alone. */
export const needsRevision = (changes: readonly Change[]): boolean =>
  changes.some((change) => !WITHOUT_REVISION.has(String(change.path[0])) && !WITHOUT_REVISION.has(pathOf(change)));

/**
 * The PATCH that makes these changes and no other: what is not sent keeps its value. `secrets` replaces the whole environment,
 * `resource_spec` the whole spec (with defaults in it that nobody declared), so both are sent whole, or not at all.
 */
export function patchOf(inputs: DeploymentInputs, changes: readonly Change[], live: DeploymentWire): JsonObject {
  const changed = new Set(changes.map(({ path }) => String(path[0])));
  const body: JsonObject = {};
  const config = sourceConfigPatch(inputs, changes, live);
  if (Object.keys(config).length > 0) body["source_config"] = config;
  if (changesEnvironment(changes)) body["secrets"] = environmentOf(inputs);
  if (changed.has("secretReferences")) body["secret_references"] = referencesToWire(inputs) ?? [];
  if (changed.has("displayName")) body["display_name"] = inputs.displayName;
  const makesRevision = body["secrets"] !== undefined || config["resource_spec"] !== undefined;
  // Any of three fields makes a revision; where none of them changed, sending the revision's own configuration again does.
  if (changed.has("sourceRevisionConfig") || (needsRevision(changes) && !makesRevision)) {
    body["source_revision_config"] = revisionConfigToWire(inputs);
  }
  return merge(body, { ...inputs.extra });
}

function sourceConfigPatch(inputs: DeploymentInputs, changes: readonly Change[], live: DeploymentWire): JsonObject {
  const declared = sourceConfigToWire(inputs);
  const changed = new Set(changes.filter(({ path }) => path[0] === "sourceConfig").map(({ path }) => path[1]));
  const patch: JsonObject = {};
  if (changed.has("buildOnPush")) patch["build_on_push"] = inputs.sourceConfig?.buildOnPush ?? false;
  if (changed.has("customUrl")) patch["custom_url"] = declared["custom_url"];
  if (changed.has("installCommand")) patch["install_command"] = declared["install_command"];
  if (changed.has("buildCommand")) patch["build_command"] = declared["build_command"];
  if (changed.has("resourceSpec")) {
    const now = live.source_config?.["resource_spec"];
    patch["resource_spec"] = merge(isObject(now) ? now : {}, resourceSpecToWire(inputs));
  }
  return patch;
}
