import { type DeploymentInputs, deploymentTable } from "./fields";
import { defineResource } from "../../lifecycle/defined";
import { createObject } from "../../lifecycle/create";
import type { Deletion, Proposed } from "../../lifecycle/definition";
import { nameOf } from "../../lifecycle/naming";
import { waitUntilGone } from "../../lifecycle/wait/wait";
import { sameAddress } from "../../base/address";
import { isMissing, notDeleted } from "../../base/errors";
import { noEndpointFor } from "../../base/settings";
import { asObject, isObject, type JsonObject } from "../../base/json";
import type { Context } from "../../lifecycle/observe/context";
import { ABSENT, firstOf, found, mapFound } from "../../lifecycle/observe/observation";
import type { Problem } from "../../lifecycle/fields/fields";
import { isGivenAddress } from "./agent";
import { createDeployment, deleteDeployment, deploymentList, updateDeployment } from "./api";
import { deploymentOf, deploymentsNamed, isBeingDeleted } from "./observe";
import { changesEnvironment, goesAlong, keptRevisions, makesRevision, patchOf } from "./patch";
import { references } from "./references";
import { refusedOf } from "./refused";
import { awaitedAfter, ownBefore, supersededBy } from "./revision";
import { type DeploymentLive, updateOnce } from "./update-once";
import { commitOf, customUrlOf, showsValues, toInputs, toWire, urlOf } from "./wire";

const identified = (live: DeploymentLive) => ({ id: live.id, live });

/** Stands for no revision, if this program is not known to have changed the secrets. Not null, because Python would not pass null to a check. */
const NEVER_CHANGED = "";

/** A deployment. Its verbs return as soon as the platform accepts them; the Rollout waits (docs/internals/design.md, Deployment and Rollout). */
export const deployment = defineResource<DeploymentInputs, DeploymentLive>({
  table: deploymentTable,
  list: deploymentList,
  *refuse(proposed) {
    yield* refuseEmptyEnvironment(proposed);
    const { after, connection } = proposed;
    if (after["agent"] !== undefined && connection?.contract === "documented")
      yield { path: ["agent"], reason: noEndpointFor("the agents of a platform") };
  },
  expectedRefusals: refusedOf,
  // An address that contains the deployment's id was assigned by the platform; one at the platform's own hosts most likely was as well.
  filledIn({ id, inputs: { sourceConfig, agent } }, connection) {
    const name = agent === undefined ? [] : [["name"]];
    return isGivenAddress(asObject(sourceConfig)["customUrl"], id, connection)
      ? [...name, ["sourceConfig", "customUrl"]]
      : name;
  },
  references,

  // The POST does not take the name for people (docs/internals/platform.md, Deployments).
  creation: (inputs) => [toWire(inputs), { display_name: inputs.displayName }],
  create(context, wanted) {
    const { send } = context;
    const { inputs } = wanted;
    return createObject(context, wanted, {
      async post() {
        const answer = await createDeployment(send, inputs);
        return { ...answer, data: identified(answer.data) };
      },
      async find() {
        const all = await deploymentsNamed(context, { name: inputs.name ?? "", inputs: wanted.declared });
        return mapFound(all, (those) => those.map(identified));
      },
      // The platform may accept a second deployment of the same name.
      releaseName: () => Promise.resolve(false),
      async complete({ id, live: { latest_revision_id: made } }) {
        const { data } = await updateDeployment(send, id, { display_name: inputs.displayName }, inputs, true);
        // A display name does not create a revision. If the answer names a new one, somebody else made it, so keep the one from the POST.
        return { ...data, latest_revision_id: made ?? data.latest_revision_id };
      },
    });
  },

  async observe(context, key) {
    if ("name" in key) return mapFound(firstOf(await deploymentsNamed(context, key, 1)), identified);
    const live = await deploymentOf(context, key.id);
    return live === undefined ? ABSENT : found(identified(live));
  },
  isBeingDeleted,

  patch: patchOf,
  makesRevision,
  goesAlong,
  // Else a preview would show its rollout and its checks as changed.
  stableOutputs: (inputs, _program, before) => keptRevisions(inputs, before),
  async update(context, state, inputs, changes) {
    const isMoved = changes.some(({ path: [first, name] }) => first === "sourceConfig" && name === "customUrl");
    return { ...(await updateOnce(context, state, inputs, changes)), isMoved };
  },

  delete: (context, state) =>
    removeDeployment(context, state.id, nameOf(deploymentTable, state), state.outputs["deleteTracingProject"] === true),

  workspaceOf: (live) => ({ tenantId: live.tenant_id }),
  toInputs,
  // The problem makes the engine replace it: the delete waits until the deployment is gone, then it is created again.
  toProblem: (live) => (isBeingDeleted(live) ? `is being deleted (${live.status ?? ""})` : undefined),
  showsValues,
  toComputed(live, before) {
    const { made } = live;
    const name = live.name ?? before["name"];
    const latestRevisionId = revisionOf(live, before);
    return {
      ...(name !== undefined && { name }),
      latestRevisionId,
      secretsRevisionId: made?.secrets ? latestRevisionId : (before["secretsRevisionId"] ?? NEVER_CHANGED),
      __ownRevisionId: made === undefined ? ownBefore(latestRevisionId, before) : undefined,
      __declaredUrl: declaredUrl(live, before),
      __changedVariables: made === undefined ? before["__changedVariables"] : [...made.variables],
      tenantId: live.tenant_id ?? before["tenantId"] ?? null,
      createdAt: live.created_at ?? before["createdAt"] ?? null,
    };
  },
  // Not in state, because they change without an update.
  toDetails: (live) => ({
    status: live.status ?? null,
    activeRevisionId: live.active_revision_id ?? null,
    url: urlOf(live),
    repoCommitSha: commitOf(live),
    imageVersion: live.image_version ?? null,
    updatedAt: live.updated_at ?? null,
  }),
});

/** Deletes the deployment, and its tracing project if the program asks for that, and waits until it is gone. */
async function removeDeployment(
  context: Context,
  id: string,
  what: string,
  withTracingProject: boolean,
): Promise<Deletion> {
  const answer = await requestDeletion(context, id, withTracingProject);
  let [wasThere, isKept] = [answer !== "refused", false];
  // DELETE is asynchronous: only the 404 of GET says that the deployment is gone (docs/internals/platform.md, Deletion of a deployment).
  await waitUntilGone(context, what, async (until) => {
    const still = await deploymentOf(context, id, until);
    if (still === undefined) return undefined;
    wasThere = true;
    isKept = answer !== "accepted" && !isBeingDeleted(still);
    return isKept ? undefined : (still.status ?? "UNKNOWN");
  });
  // DELETE said 404 or 405, yet the deployment is there: this platform has no such endpoint.
  if (isKept && answer === "refused") return { left: what };
  if (isKept) throw notDeleted(what);
  return wasThere ? "deleted" : "absent";
}

/** Accepted: the platform's own answer (204). Another success may come from a gateway in between. Refused: nothing to delete, or no such endpoint. */
async function requestDeletion(
  context: Context,
  id: string,
  withTracingProject: boolean,
): Promise<"accepted" | "answered" | "refused"> {
  try {
    const { status } = await deleteDeployment(context.send, id, withTracingProject);
    return status === 204 ? "accepted" : "answered";
  } catch (error) {
    // A gateway's 404 says nothing about the platform: the deployment stays in the state. A router's may, so the look-up has to be the platform's own.
    if (!isMissing(error)) throw error;
    await deploymentOf(context, id);
    return "refused";
  }
}

/**
 * The address that the program declared, kept when a read finds another one: anybody who may change the deployment on the platform can choose that one.
 * Until an update moves the deployment back, the address in state is not the program's.
 */
function declaredUrl(live: DeploymentLive, before: JsonObject): string | undefined {
  const { sourceConfig, __declaredUrl: earlier } = before;
  const declared = earlier ?? asObject(sourceConfig)["customUrl"];
  const now = customUrlOf(live);
  if (live.isMoved === true || typeof declared !== "string" || now === null) return undefined;
  return sameAddress(declared, now) ? undefined : declared;
}

/** The revision that the last request created; until the platform names it, null or "after" the previous one. */
function revisionOf(live: DeploymentLive, before: JsonObject): string | null {
  const latest = live.latest_revision_id ?? null;
  const superseded = supersededBy(before["latestRevisionId"]);
  if (superseded === undefined || (latest !== null && latest !== superseded)) return latest;
  return awaitedAfter(superseded);
}

/**
 * The platform ignores an empty list of variables, so an update that removes the last one would have no effect. If neither map is declared, the
 * environment is left as it is.
 */
function* refuseEmptyEnvironment({ before, after, changes }: Proposed): Generator<Problem> {
  if (after["environmentVariables"] === undefined && after["secrets"] === undefined) return;
  // An unknown map may have entries.
  const isEmpty = ({ environmentVariables, secrets }: JsonObject): boolean =>
    [environmentVariables, secrets].every((map = {}) => isObject(map) && Object.keys(map).length === 0);
  const change = changes.find((each) => changesEnvironment([each]));
  if (change === undefined || isEmpty(before) || !isEmpty(after)) return;
  const reason =
    "the last variable of the environment cannot be removed: the platform ignores an empty list. Keep one, leave out both environmentVariables " +
    "and secrets (the environment is then left as it is), or replace the deployment";
  yield { path: change.path.slice(0, 1), reason };
}
