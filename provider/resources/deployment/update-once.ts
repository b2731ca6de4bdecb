import type { Context, State } from "../../lifecycle/definition";
import { hiddenFields, liveView, type Change } from "../../lifecycle/diff";
import { AgentPlatformError, isUnclear, messageOf } from "../../lifecycle/errors";
import { instantOf } from "../../lifecycle/instant";
import { compact, sameJson, type Json, type JsonObject } from "../../lifecycle/json";
import { getDeployment, getRevision, updateDeployment } from "./api";
import { changesEnvironment, needsRevision, patchOf } from "./patch";
import { deploymentFields, type DeploymentInputs } from "./schema";
import { toInputs, type DeploymentWire } from "./wire";

const PATCH_ATTEMPTS = 3;
const PATCH_PAUSE_MS = 1000;

/** Makes the deployment equal to the inputs, with at most one new revision, also after a run that was cut off (design.md, Creating once). */
export async function updateOnce(
  context: Context,
  { id, outputs }: State,
  inputs: DeploymentInputs,
  changes: readonly Change[],
): Promise<DeploymentWire> {
  const { data: live } = await getDeployment(context.send, id);
  const revisionBefore = outputs["latestRevisionId"];
  const seemsDone = hasHappened(inputs, changes, revisionBefore, live);
  if (seemsDone && (await isLater(context, live, revisionBefore))) return live;
  const body = patchOf(inputs, changes, live);
  return Object.keys(body).length === 0 ? live : patchOnce(context, live, inputs, changes, body);
}

/**
 * True where the platform already holds these changes, in a revision newer than the one in state: a run that was cut off between
 * the PATCH and its answer made it. What an answer does not show cannot be told, so a change of it is always sent.
 */
function hasHappened(
  inputs: DeploymentInputs,
  changes: readonly Change[],
  revisionBefore: Json | undefined,
  live: DeploymentWire,
): boolean {
  const isNewer = live.latest_revision_id != null && live.latest_revision_id !== revisionBefore;
  if (!isNewer || !needsRevision(changes) || changesEnvironment(changes)) return false;
  const declared = compact({ ...inputs });
  const shown = compact(toInputs(live, declared));
  const hidden = hiddenFields(deploymentFields, declared, shown);
  if (changes.some((change) => isUnseen(change) || hidden.some((field) => covers(field, change)))) return false;
  return sameJson(liveView(deploymentFields, declared, shown), declared);
}

/** Fields that no answer ever shows. Of a redeploy trigger nothing has to be seen: any newer revision is what it asked for. */
const isUnseen = ({ path, rule }: Change): boolean => rule.unreadable === "always" && path[0] !== "redeployTrigger";

const covers = (hidden: Change, { path }: Change): boolean => hidden.path.every((step, index) => path[index] === step);

/**
 * True where the revision that an answer names was made after the one in state. A stale answer names an earlier one, whose
 * configuration can be the declared one again; where the platform does not say when, any other revision counts as later.
 */
async function isLater({ send }: Context, live: DeploymentWire, before: Json | undefined): Promise<boolean> {
  if (typeof before !== "string" || live.latest_revision_id == null) return true;
  const madeAt = async (revision: string): Promise<number> => {
    const { data } = await getRevision(send, live.id, revision);
    return instantOf(data.created_at) ?? NaN;
  };
  return !((await madeAt(live.latest_revision_id)) < (await madeAt(before)));
}

/** Sends the PATCH until it surely happened, once. It may make a revision, so after an unclear outcome the deployment is looked at first. */
async function patchOnce(
  { send, clock }: Context,
  before: DeploymentWire,
  inputs: DeploymentInputs,
  changes: readonly Change[],
  body: JsonObject,
): Promise<DeploymentWire> {
  const { id } = before;
  const makesRevision = needsRevision(changes);
  for (let attempt = 1; ; attempt++) {
    try {
      return (await updateDeployment(send, id, body, inputs, !makesRevision)).data;
    } catch (error) {
      if (!isUnclear(error) || !makesRevision || attempt >= PATCH_ATTEMPTS) throw error;
      const { data: now } = await getDeployment(send, id);
      if (hasHappened(inputs, changes, before.latest_revision_id, now)) return now;
      if (now.latest_revision_id !== before.latest_revision_id) throw unknownUpdate(inputs.name, id, error);
      await clock.sleep(PATCH_PAUSE_MS * attempt);
    }
  }
}

function unknownUpdate(name: string, id: string, cause: unknown): AgentPlatformError {
  return new AgentPlatformError(
    `Deployment "${name}" (${id}): it is not known whether the update was made (${messageOf(cause)}). There is a newer revision, but the platform does not ` +
      "show what is in its environment. Run `pulumi up` again, which sends the update once more: at worst that makes one more revision of the same content",
    { cause },
  );
}
