import { AgentPlatformError, isMissing, isUnclear, messageOf, UnfinishedError } from "../../base/errors";
import { sameJson, type JsonObject } from "../../base/json";
import { instantOf } from "../../base/time";
import type { Context } from "../../lifecycle/observe/context";
import { waitFor } from "../../lifecycle/wait/wait";
import { redeployRevision, revisionPages, type RevisionWire } from "../deployment/api";
import { deploymentOf } from "../deployment/observe";
import { supersededBy } from "../deployment/revision";
import type { DeploymentWire } from "../deployment/wire";
import { rollOut } from "../rollout/definition";
import { revisionStatusOf } from "../rollout/revision-status";
import type { RunFailed } from "./attempt";
import type { RunCheckInputs } from "./fields";

// Which revision a check is about: whether that one serves, and what is put back where it fails (docs/internals/design.md, Going back).

/** How long the platform may take to name a revision that was asked for. */
const NAMED_WITHIN_MS = 60_000;

/** A check that says whose revision it is about. */
export interface RevisionCheck extends RunCheckInputs {
  readonly deploymentId: string;
  readonly revisionId: string;
}

export const isAboutRevision = (inputs: RunCheckInputs): inputs is RevisionCheck =>
  typeof inputs.deploymentId === "string" && typeof inputs.revisionId === "string";

/**
 * Throws unless the revision is the one that serves: then a run says nothing about it. One that is about to be replaced counts as serving, unless the check is
 * to put something back. @param before The outputs in state: what the check has put back is known from there. @param passed A run has passed already.
 */
export async function confirmServes(
  context: Context,
  { deploymentId, revisionId, rollBack = false, secretsRevisionId }: RevisionCheck,
  before: JsonObject,
  passed = false,
): Promise<void> {
  const deployment = await standing(context, deploymentId);
  const status = await revisionStatusOf(context, deployment);
  // This platform does not say.
  if ("state" in status) return;
  const serving = status.servingRevisionId ?? deployment.active_revision_id ?? revisionId;
  const { problem, failedRevisionId, rollbackRevisionId, lostSecretsRevisionId } = before;
  const isOurs = problem !== undefined && (failedRevisionId === revisionId || rollbackRevisionId === revisionId);
  const what = nameOf(deployment);
  if (serving !== revisionId) {
    const known = isOurs && rollbackRevisionId === serving ? `\n${textOf(problem)}.` : "";
    throw new AgentPlatformError(
      `${what}: revision ${revisionId}, which the program declares, does not serve: revision ${serving} does. ` +
        `${passed ? "It came while the check ran, so that its run says nothing" : "Nothing was asked"}.${known}\n${NEXT}`,
    );
  }
  if (rollBack !== false && status.isPending) {
    throw new AgentPlatformError(
      `${what}: ${status.problem ?? "a newer revision is on its way"}, so ${passed ? "the run that passed" : "a run"} would not say what comes to serve. ` +
        `Wait until it serves.\n${NEXT}`,
    );
  }
  if (lostSecretsRevisionId !== undefined && lostSecretsRevisionId === secretsRevisionId) {
    throw new AgentPlatformError(
      `${what}: the secrets that the program declares do not serve.\n${textOf(problem)}.\n${RESEND}`,
    );
  }
  if (isOurs && rollbackRevisionId === revisionId && (await looksLike(context, deployment, textOf(failedRevisionId)))) {
    throw new AgentPlatformError(`${what}: what the program declares does not serve.\n${textOf(problem)}.\n${RESEND}`);
  }
}

const NEXT =
  "To go on, give the deployment another image or commit, or change its redeployTrigger; `pulumi up --refresh` tries the declared one once more";
const RESEND =
  "The platform does not show the difference, so `pulumi up` cannot see it: change redeployTrigger to make the declared revision once more";

/**
 * Puts the revision back that served before the one on which a check failed, at most once, and waits until it serves. Never returns: throws the failure, with
 * what became of it.
 */
export async function goBack(
  context: Context,
  asked: RevisionCheck,
  id: string | undefined,
  failure: RunFailed,
): Promise<never> {
  const { deploymentId, revisionId } = asked;
  const { send, call, log } = context;
  const stays = (why: string, cause?: unknown): AgentPlatformError =>
    failure.with(`Nothing was put back: ${why}. Revision ${revisionId} stays. ${TRY_AGAIN}`, cause);
  if (call.signal?.aborted === true) throw stays("the run was cancelled");
  let before: Before;
  try {
    before = await servedBefore(context, asked);
  } catch (error) {
    throw stays(messageOf(error), error);
  }
  const [from, to] = [before.revision.id ?? "", nameOfRevision(before.revision)];
  let unclear: unknown;
  // Another check of this run may have failed on the same revision: one of them acts, and both wait.
  if (before.copy === undefined && context.isFirstTo(`go back from ${revisionId}`)) {
    try {
      await redeployRevision(send, deploymentId, from);
    } catch (error) {
      if (!isUnclear(error)) throw stays(`${to} cannot be redeployed (${messageOf(error)})`, error);
      unclear = error;
    }
  }
  const made = before.copy ?? (await revisionAfter(context, asked));
  if (made === undefined) {
    const outcome = unclear === undefined ? "" : ` (${messageOf(unclear)})`;
    throw failure.with(
      `It is not known whether ${to} comes back: it was asked for, and no new revision has come${outcome}. The next \`pulumi up\` looks again`,
      unclear,
    );
  }
  const state = (problem: string): JsonObject => ({
    revisionId: null,
    problem,
    failedRevisionId: revisionId,
    rollbackRevisionId: made,
    lostSecretsRevisionId: before.hasOtherSecrets ? asked.secretsRevisionId : undefined,
  });
  const urn = asked.__progressUrn ?? call.urn;
  const unfinished = (now: string, then: string, cause?: unknown): UnfinishedError => {
    // The engine keeps the message in state, in plain text, and the agent may have said anything.
    if (failure.seen !== "") log.info(failure.seen, urn);
    const next = `Revision ${revisionId} ${now}.\nThe program still declares revision ${revisionId}. ${NEXT}`;
    const problem = `Revision ${revisionId} failed its check, and ${then}`;
    return new UnfinishedError(`${failure.text}\n${next}`, id ?? failure.runId, state(problem), { cause });
  };
  let serving: string | null;
  try {
    const { activeRevisionId } = await rollOut(context, {
      deploymentId,
      deploymentName: before.deployment.name,
      revisionId: made,
      // What comes after the copy is for the next look to judge.
      followsPushes: true,
      ...(urn !== undefined && { __progressUrn: urn }),
    });
    serving = activeRevisionId;
  } catch (error) {
    const copy = `was to be rolled back to a copy of ${to}, revision ${made}`;
    throw unfinished(`${copy}, but: ${messageOf(error)}`, `${copy}, which did not come to serve`, error);
  }
  const where = serving === null || serving === made ? `revision ${made}` : `revision ${serving}, made after ${made},`;
  throw unfinished(
    `was rolled back: ${where} serves now, a copy of ${to}`,
    `was rolled back: revision ${made} took its place, a copy of ${to}`,
  );
}

const TRY_AGAIN = "Correct the agent or the check; the next `pulumi up` runs it again";

/** The revision to put back. */
interface Before {
  readonly deployment: DeploymentWire;
  readonly revision: RevisionWire;
  /** The program has changed its secrets since. */
  readonly hasOtherSecrets: boolean;
  /** The revision with which another check, or somebody, has put it back already. */
  readonly copy: string | undefined;
}

/** Throws with the reason where there is none, or where it must not be put back. */
async function servedBefore(
  context: Context,
  { deploymentId, revisionId, rollBack, secretsRevisionId }: RevisionCheck,
): Promise<Before> {
  const deployment = await standing(context, deploymentId);
  const { latest_revision_id: latest, active_revision_id: active } = deployment;
  const all = await newestFirst(context, deploymentId);
  const at = all.findIndex(({ id }) => id === revisionId);
  const revision = all.slice(at + 1).find(({ status }) => status === "DEPLOYED");
  const next = latest === revisionId ? undefined : all[at - 1];
  const copy = revision !== undefined && next !== undefined && isCopy(next, revision) ? next.id : undefined;
  if (latest !== revisionId && copy === undefined)
    throw new AgentPlatformError(`${nameOf(deployment)} has a newer revision by now, ${latest ?? "without a name"}`);
  if (active !== revisionId && copy === undefined)
    throw new AgentPlatformError(`the platform does not say that revision ${revisionId} serves`);
  if (at < 0 || revision === undefined) throw new AgentPlatformError("no earlier revision has served");
  const hasOtherSecrets = changedSince(all, revision, secretsRevisionId);
  if (rollBack === "with-old-secrets" || !hasOtherSecrets) return { deployment, revision, hasOtherSecrets, copy };
  throw new AgentPlatformError(
    `${nameOfRevision(revision)}, which served before, has other secrets than the program declares by now, and they would come back with it; ` +
      'rollBack: "with-old-secrets" allows that',
  );
}

async function newestFirst({ send }: Context, deploymentId: string): Promise<readonly RevisionWire[]> {
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

/** Whether the program has changed its secrets since this revision. @param changedWith That with which it last did. */
function changedSince(
  all: readonly RevisionWire[],
  earlier: RevisionWire,
  changedWith: string | null | undefined,
): boolean {
  if (changedWith == null || changedWith === "") return false;
  const placeOf = (id: string | undefined): number => all.findIndex((each) => each.id === id);
  const before = supersededBy(changedWith);
  const changed = before === undefined ? placeOf(changedWith) : placeOf(before) - 1;
  // One that the platform no longer lists may be older or newer.
  return changed < 0 && before === undefined ? true : placeOf(earlier.id) > changed;
}

/** The revision that comes after the failed one, once the platform names it; undefined if it does not. */
async function revisionAfter(
  context: Context,
  { deploymentId, revisionId }: RevisionCheck,
): Promise<string | undefined> {
  const { clock, random, call } = context;
  const none = (): Error => new AgentPlatformError("no new revision has come");
  try {
    return await waitFor({
      poll: (until) => deploymentOf(context, deploymentId, until),
      condition: (deployment) => {
        const latest = deployment?.latest_revision_id;
        const isNamed = latest != null && latest !== revisionId;
        return isNamed ? { state: "done", result: latest } : { state: "pending", status: "not named yet" };
      },
      limitMs: NAMED_WITHIN_MS,
      clock,
      random,
      call,
      timedOut: none,
      stopped: none,
    });
  } catch {
    return undefined;
  }
}

/** Whether the latest revision is the same as the failed one, as far as the platform shows them. */
async function looksLike(
  context: Context,
  { id, latest_revision_id: latest }: DeploymentWire,
  failed: string,
): Promise<boolean> {
  const all = await newestFirst(context, id);
  const found = (revision: string | null | undefined): RevisionWire => all.find((each) => each.id === revision) ?? {};
  return isCopy(found(latest), found(failed));
}

/** As far as the platform shows them. */
const isCopy = (one: RevisionWire, other: RevisionWire): boolean =>
  sameJson(one.source_revision_config ?? {}, other.source_revision_config ?? {});

async function standing(context: Context, deploymentId: string): Promise<DeploymentWire> {
  const deployment = await deploymentOf(context, deploymentId);
  if (deployment !== undefined) return deployment;
  throw new AgentPlatformError(
    `deployment ${deploymentId} is gone; run \`pulumi up --refresh\`, which creates it again`,
  );
}

const nameOf = ({ id, name }: DeploymentWire): string => `deployment "${name ?? ""}" (${id})`;

function nameOfRevision({ id, source_revision_config: config }: RevisionWire): string {
  const runs = textOf(config?.["repo_commit_sha"]) || textOf(config?.["image_uri"]);
  return `revision ${id ?? "without an id"}${runs === "" ? "" : ` (${runs})`}`;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
