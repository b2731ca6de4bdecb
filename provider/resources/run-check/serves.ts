import { AgentPlatformError, isMissing } from "../../base/errors";
import { sameJson, textIn, type JsonObject } from "../../base/json";
import { instantOf } from "../../base/time";
import type { Context } from "../../lifecycle/observe/context";
import { revisionPages, type RevisionWire } from "../deployment/api";
import { comparedWith } from "../deployment/update-once";
import { deploymentOf, lasting, showDeployment } from "../deployment/observe";
import type { DeploymentWire } from "../deployment/wire";
import { revisionStatusOf } from "../rollout/revision-status";
import type { RunCheckInputs } from "./fields";

// Which revision a check is about, and whether that one serves (docs/internals/design.md, Going back).

/** A check that says whose revision it is about. */
export interface RevisionCheck extends RunCheckInputs {
  readonly deploymentId: string;
  readonly revisionId: string;
}

export const isAboutRevision = (inputs: RunCheckInputs): inputs is RevisionCheck =>
  typeof inputs.deploymentId === "string" && typeof inputs.revisionId === "string";

/**
 * Throws unless the revision serves, because a run would otherwise say nothing about it. A revision that is about to be replaced counts as serving, unless
 * the check may roll back. @param before The outputs in state, which record an earlier rollback. @param passed A run has already passed.
 */
export async function confirmServes(
  context: Context,
  { deploymentId, revisionId, rollBack = false, secretsRevisionId }: RevisionCheck,
  before: JsonObject,
  passed = false,
): Promise<void> {
  const deployment = lasting(await deploymentOf(context, deploymentId), `deployment ${deploymentId}`);
  const status = await revisionStatusOf(context, deployment);
  // This platform does not show which revision serves.
  if ("state" in status) return;
  const what = showDeployment(deployment);
  const serving = status.servingRevisionId ?? deployment.active_revision_id ?? revisionId;
  const { failedRevisionId, rollbackRevisionId, lostSecretsRevisionId } = before;
  const problem = textIn(before, "problem");
  const isOurs = problem !== undefined && (failedRevisionId === revisionId || rollbackRevisionId === revisionId);
  if (serving !== revisionId) {
    const known = isOurs && rollbackRevisionId === serving ? `\n${problem}.` : "";
    throw new AgentPlatformError(
      `${what}: revision ${revisionId}, which the program declares, does not serve: revision ${serving} does. ` +
        `${passed ? "It came while the check ran, so that its run says nothing" : "Nothing was asked"}.${known}\n${NEXT}`,
    );
  }
  if (rollBack !== false && status.isPending === true) {
    throw new AgentPlatformError(
      `${what}: ${status.problem ?? "a newer revision is on its way"}, so ${passed ? "the run that passed" : "a run"} would not say what comes to serve. ` +
        `Wait until it serves.\n${NEXT}`,
    );
  }
  if (lostSecretsRevisionId !== undefined && lostSecretsRevisionId === secretsRevisionId) {
    throw new AgentPlatformError(
      `${what}: the secrets that the program declares do not serve.\n${problem ?? ""}.\n${RESEND}`,
    );
  }
  if (isOurs && rollbackRevisionId === revisionId && (await looksLike(context, deployment, failedRevisionId))) {
    throw doesNotServe(deployment, problem, RESEND);
  }
}

export const NEXT =
  "To go on, give the deployment another image or commit, or change its redeployTrigger; `pulumi up --refresh` tries the declared one once more";
const RESEND =
  "The platform does not show the difference, so `pulumi up` cannot see it: change redeployTrigger to make the declared revision once more";

/**
 * For a check that rolled back and is now deleted or about another deployment: throws while the restored revision still serves instead of the declared
 * one, because nothing else in state records that. Only warns if this process has not seen the deployment's declaration, as in a `destroy`.
 * @param before The outputs of the check in state.
 */
export async function refuseWhileRolledBack(context: Context, before: JsonObject): Promise<void> {
  const { problem, failedDeploymentId, failedRevisionId, rollbackRevisionId, lostSecretsRevisionId } = before;
  if (typeof problem !== "string") return;
  const warning = `${problem}. \`pulumi up --refresh\` makes the declared one once more.`;
  // States of earlier versions lack it.
  if (typeof failedDeploymentId !== "string") {
    context.log.warn(warning);
    return;
  }
  const deployment = await deploymentOf(context, failedDeploymentId);
  if (deployment === undefined || deployment.latest_revision_id !== rollbackRevisionId) return;
  const status = await revisionStatusOf(context, deployment);
  // The copy failed, and the declared one still serves.
  if (!("state" in status) && status.servingRevisionId === undefined && status.isPending !== true) return;
  const declared = context.program.of("Deployment", deployment.name ?? "").at(-1);
  if (declared === undefined) {
    context.log.warn(warning);
    return;
  }
  if (comparedWith(deployment, declared).changes.length > 0) throw doesNotServe(deployment, problem, NEXT);
  const isHidden = lostSecretsRevisionId !== undefined || (await looksLike(context, deployment, failedRevisionId));
  if (isHidden) throw doesNotServe(deployment, problem, RESEND);
}

const doesNotServe = (deployment: DeploymentWire, problem: string, next: string): AgentPlatformError =>
  new AgentPlatformError(
    `${showDeployment(deployment)}: what the program declares does not serve.\n${problem}.\n${next}`,
  );

/** Whether the latest revision has the same configuration as the failed one, as far as the platform shows them. */
async function looksLike(
  context: Context,
  { id, latest_revision_id: latest }: DeploymentWire,
  failed: unknown,
): Promise<boolean> {
  const all = await newestFirst(context, id);
  const found = (revision: unknown): RevisionWire => all.find((each) => each.id === revision) ?? {};
  return sameJson(configOf(found(latest)), configOf(found(failed)));
}

const configOf = ({ source_revision_config: config }: RevisionWire): JsonObject => config ?? {};

/** Whether the platform shows that two revisions have the same configuration. */
export const isCopy = (one: RevisionWire, other: RevisionWire): boolean =>
  one.source_revision_config != null && sameJson(one.source_revision_config, configOf(other));

export async function newestFirst({ send }: Context, deploymentId: string): Promise<readonly RevisionWire[]> {
  const all: RevisionWire[] = [];
  try {
    for await (const { data } of revisionPages(send, deploymentId, [])) all.push(...data);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new AgentPlatformError("this platform does not list revisions, so the one before is not known", {
      cause: error,
    });
  }
  const timeOf = ({ created_at: at }: RevisionWire): number => instantOf(at) ?? NaN;
  // Their order is not documented.
  return all.some((each) => Number.isNaN(timeOf(each))) ? all : all.sort((one, other) => timeOf(other) - timeOf(one));
}
