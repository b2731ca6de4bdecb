import { deploymentTable, type DeploymentInputs } from "./fields";
import { defineResource } from "../../lifecycle/defined";
import type { Change } from "../../lifecycle/fields/diff";
import { withScheme } from "../../base/address";
import { vouchesFor } from "../../base/vouched";
import { isObject, type Json, type JsonObject } from "../../base/json";
import { ABSENT, found, mapFound } from "../../lifecycle/observe/observation";
import type { Problem } from "../../lifecycle/fields/schema";
import { createDeployment, updateDeployment } from "./api";
import { deploymentList } from "./list";
import { deploymentNamed, deploymentOf, isBeingDeleted } from "./observe";
import { goesAlong, makesRevision, patchOf } from "./patch";
import { references } from "./references";
import { refusedOf } from "./refused";
import { removeDeployment, waitUntilGone } from "./remove";
import { awaitedAfter, ownBefore, supersededBy } from "./revision";
import { updateOnce, type DeploymentLive } from "./update-once";
import { commitOf, showsValues, toInputs, toWire, urlOf } from "./wire";

const describeDeployment = (name: string, id: string): string => `Deployment "${name}" (${id})`;

/** In the place of a revision, where this program is not known to have changed the secrets. Not null: Python would not pass that on to a check. */
const NEVER_CHANGED = "";

/** A deployment. Its verbs return as soon as the platform accepts them; the Rollout waits (docs/internals/design.md, Deployment and Rollout). */
export const deployment = defineResource<DeploymentInputs, DeploymentLive>({
  api: "control",
  table: deploymentTable,
  naturalKey: "name",
  remembered: ["source", "sourceConfig", "sourceRevisionConfig", "environmentVariables", "secrets", "extra"],
  undocumented: ["list", "delete"],
  list: deploymentList,
  refuse: refuseEmptyEnvironment,
  expectedRefusals: refusedOf,
  // Nobody can declare an address with the id of what does not exist yet; one at the platform's own hosts is most likely given, too.
  filledIn({ id, inputs: { sourceConfig } }, connection) {
    const address = isObject(sourceConfig) ? sourceConfig["customUrl"] : undefined;
    if (typeof address !== "string") return [];
    return address.includes(id) || vouchesFor(connection, withScheme(address)) ? [["sourceConfig", "customUrl"]] : [];
  },
  references,

  create: {
    body: toWire,
    post: ({ send }, inputs, body) => createDeployment(send, inputs, body),
    createdAt: (live) => live.created_at,
    idOf: (live) => live.id,
    // The platform may accept a second deployment of the same name.
    observeFirst: true,
    undeclared: "ignored",
    completion: {
      inputs: ["displayName"],
      body: nameForPeople,
      async send({ send }, { id, latest_revision_id: made }, inputs, body) {
        const { data } = await updateDeployment(send, id, body, inputs, true);
        // The name makes no revision: another one is somebody's, and not the one that was made here.
        return { ...data, latest_revision_id: made ?? data.latest_revision_id };
      },
    },
  },

  async observe(context, key) {
    if ("name" in key) return mapFound(await deploymentNamed(context, key.name), (live) => ({ id: live.id, live }));
    const live = await deploymentOf(context, key.id);
    return live === undefined ? ABSENT : found({ id: key.id, live });
  },
  isBeingDeleted,
  untilGone: (context, { id, live }) => waitUntilGone(context, id, describeDeployment(live.name ?? id, id)),

  patch: patchOf,
  makesRevision,
  goesAlong,
  carriedBy: { environmentVariables: "secrets", secrets: "secrets" },
  update: updateOnce,

  delete(context, { id, outputs }) {
    const what = describeDeployment(typeof outputs["name"] === "string" ? outputs["name"] : id, id);
    return removeDeployment(context, id, what, outputs["deleteTracingProject"] === true);
  },

  // States of earlier versions lack it.
  addedOutputs: ["tenantId", "secretsRevisionId"],
  workspaceOf: (live) => ({ tenantId: live.tenant_id }),
  toInputs,
  // The engine then replaces it: the delete waits until the deployment is gone, and then it is created again.
  toProblem: (live) => (isBeingDeleted(live) ? `is being deleted (${live.status ?? ""})` : undefined),
  showsWriteOnly: showsValues,
  toComputed(live, before) {
    const { made } = live;
    const latestRevisionId = revisionOf(live, before);
    return {
      latestRevisionId,
      secretsRevisionId: made?.secrets ? latestRevisionId : (before["secretsRevisionId"] ?? NEVER_CHANGED),
      __ownRevisionId: made === undefined ? ownBefore(latestRevisionId, before) : undefined,
      __changedVariables: made === undefined ? before["__changedVariables"] : [...made.variables],
      tenantId: live.tenant_id ?? before["tenantId"] ?? null,
      createdAt: live.created_at ?? before["createdAt"] ?? null,
    };
  },
  // They change by themselves: in a state each of them would be out of date at once.
  toDetails: (live) => ({
    status: live.status ?? null,
    activeRevisionId: live.active_revision_id ?? null,
    url: urlOf(live),
    repoCommitSha: commitOf(live),
    imageVersion: live.image_version ?? null,
    updatedAt: live.updated_at ?? null,
  }),
});

/** The PATCH after a creation, which does not take it (docs/internals/platform.md, Deployments). */
function nameForPeople({ displayName }: DeploymentInputs): JsonObject {
  return { display_name: displayName };
}

/** The revision that the last request made: null, or "after" the one before it, while the platform has not named it. */
function revisionOf(live: DeploymentLive, before: JsonObject): string | null {
  const latest = live.latest_revision_id ?? null;
  const superseded = supersededBy(before["latestRevisionId"]);
  if (superseded === undefined || (latest !== null && latest !== superseded)) return latest;
  return awaitedAfter(superseded);
}

/**
 * The platform ignores an empty list of variables, so an update that clears the last one would only seem to work. Where none is declared
 * at all, the environment is left as it is.
 */
function refuseEmptyEnvironment(before: JsonObject, after: JsonObject, changes: readonly Change[]): Problem[] {
  if (after["environmentVariables"] === undefined && after["secrets"] === undefined) return [];
  const size = (inputs: JsonObject): number =>
    [inputs["environmentVariables"], inputs["secrets"]].reduce<number>(
      (sum, map) => sum + (map === undefined ? 0 : sizeOf(map)),
      0,
    );
  const change = changes.find(({ path }) => path[0] === "environmentVariables" || path[0] === "secrets");
  if (change === undefined || size(before) === 0 || size(after) > 0) return [];
  return [
    {
      path: [String(change.path[0])],
      reason:
        "the last variable of the environment cannot be removed: the platform ignores an empty list. Keep one, leave out both environmentVariables " +
        "and secrets (the environment is then left as it is), or replace the deployment",
    },
  ];
}

/** An unknown map may have entries: it counts as one. */
const sizeOf = (map: Json): number => (isObject(map) ? Object.keys(map).length : 1);
