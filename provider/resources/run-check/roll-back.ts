import { AgentPlatformError, CancelledError, isUnclear, messageOf, UnfinishedError } from "../../base/errors";
import { type JsonObject, textIn } from "../../base/json";
import { shellWord } from "../../base/shell";
import type { Context, State } from "../../lifecycle/observe/context";
import { waitFor } from "../../lifecycle/wait/wait";
import { readRevision, redeployRevision, type RevisionWire } from "../deployment/api";
import { deploymentOf, lasting, showDeployment } from "../deployment/observe";
import { imagePatch } from "../deployment/patch";
import { supersededBy } from "../deployment/revision";
import type { DeploymentWire } from "../deployment/wire";
import { rollOut } from "../rollout/definition";
import type { RunFailed } from "./attempt";
import { isCopy, newestFirst, NEXT, type RevisionCheck } from "./serves";

// Restores the previous revision if a check fails (docs/internals/design.md, Going back).

/** How long the platform may take to name a requested revision. */
const NAMED_WITHIN_MS = 60_000;

/**
 * Redeploys the revision that served before the one that failed its check, at most once, and waits until it serves. Never returns: throws the failure,
 * with the result of the rollback. @param state The check's state; undefined for a new check.
 */
export async function goBack(
  context: Context,
  asked: RevisionCheck,
  state: State | undefined,
  failure: RunFailed,
): Promise<never> {
  const { deploymentId, revisionId, secretsRevisionId, __progressUrn: urn = context.call.urn } = asked;
  let before: Before;
  let unclear: unknown;
  try {
    before = await servedBefore(context, asked, state?.outputs["revisionId"]);
    unclear = await askForCopy(context, asked, before);
  } catch (error) {
    throw failure.with(`Nothing was put back: ${messageOf(error)}. Revision ${revisionId} stays. ${TRY_AGAIN}`, error);
  }
  const copy = before.copy ?? (await revisionAfter(context, asked));
  if (copy === undefined) throw failure.with(notKnown(before, unclear), unclear);
  const { now, then, cause } = await awaitCopy(context, asked, before, copy);
  // Log the agent's output instead of adding it to the message: the engine stores the message in state as plain text.
  if (failure.seen !== "") context.log.info(failure.seen, urn);
  const next = `Revision ${revisionId} ${now}.\nThe program still declares revision ${revisionId}. ${NEXT}`;
  const recorded: JsonObject = {
    revisionId: null,
    problem: `Revision ${revisionId} failed its check, and ${then}`,
    failedDeploymentId: deploymentId,
    failedRevisionId: revisionId,
    rollbackRevisionId: copy,
    lostSecretsRevisionId: before.hasOtherSecrets ? secretsRevisionId : undefined,
  };
  throw new UnfinishedError(`${failure.text}\n${next}`, state?.id ?? failure.runId, recorded, { cause });
}

const TRY_AGAIN = "Correct the agent or the check; the next `pulumi up` runs it again";

const notKnown = ({ revision }: Before, unclear: unknown): string =>
  `It is not known whether ${nameOfRevision(revision)} comes back: it was asked for, and no new revision has come` +
  `${unclear === undefined ? "" : ` (${messageOf(unclear)})`}. The next \`pulumi up\` runs the check again, or says which revision came`;

/** The revision to restore. */
interface Before {
  readonly deployment: DeploymentWire;
  readonly revision: RevisionWire;
  /** The program has changed its secrets since. */
  readonly hasOtherSecrets: boolean;
  /** A later revision that is already a copy of it, made by another check or by somebody else. */
  readonly copy: string | undefined;
}

/** Throws with the reason if there is no such revision, or if it must not be restored. @param passed The revision on which the check last passed. */
async function servedBefore(
  context: Context,
  { deploymentId, revisionId, rollBack, secretsRevisionId }: RevisionCheck,
  passed: unknown,
): Promise<Before> {
  if (context.signal?.aborted === true) throw new CancelledError();
  const deployment = lasting(await deploymentOf(context, deploymentId), `deployment ${deploymentId}`);
  const { latest_revision_id: latest, active_revision_id: active } = deployment;
  const all = await newestFirst(context, deploymentId);
  const at = all.findIndex(({ id }) => id === revisionId);
  const revision = all.slice(at + 1).find(({ status }) => status === "DEPLOYED");
  const next = latest === revisionId ? undefined : all[at - 1];
  const copy = revision !== undefined && next !== undefined && isCopy(next, revision) ? next.id : undefined;
  if (latest !== revisionId && copy === undefined)
    throw new AgentPlatformError(
      `${showDeployment(deployment)} has a newer revision by now, ${latest ?? "without a name"}`,
    );
  if (active !== revisionId && copy === undefined)
    throw new AgentPlatformError(`the platform does not say that revision ${revisionId} serves`);
  if (passed === revisionId && copy === undefined) throw new AgentPlatformError(HAS_PASSED);
  if (at < 0 || revision === undefined) throw new AgentPlatformError("no earlier revision has served");
  const hasOtherSecrets = changedSince(all, revision, secretsRevisionId);
  if (rollBack === "with-old-secrets" || !hasOtherSecrets) return { deployment, revision, hasOtherSecrets, copy };
  throw new AgentPlatformError(
    `${nameOfRevision(revision)}, which served before, has other secrets than the program declares by now, and they would come back with it; ` +
      `rollBack: "with-old-secrets" allows that${imageAlone(deployment, revision)}`,
  );
}

/** How to bring back its image without its secrets, if it has one that can be sent. */
function imageAlone(deployment: DeploymentWire, { id = "", source_revision_config }: RevisionWire): string {
  if (imagePatch({ ...deployment, source_revision_config }) === undefined) return "";
  const command = `npx pulumi-agent-platform redeploy ${shellWord(deployment.id)} --revision ${shellWord(id)} --keep-secrets`;
  return `, and \`${command}\` brings back its image alone`;
}

const HAS_PASSED =
  "the check has passed on the same revision before, so what has changed since is the check or its assistant";

/** Requests the copy, unless there is one or another check of this run requests it. @returns The error if it is not known whether the request worked. */
async function askForCopy(
  context: Context,
  { deploymentId, revisionId }: RevisionCheck,
  { revision, copy }: Before,
): Promise<unknown> {
  // Another check of this run may have failed on the same revision: one of them acts, and both wait.
  if (copy !== undefined || !context.isFirstTo(`go back from ${revisionId}`)) return undefined;
  try {
    await redeployRevision(context.send, deploymentId, revision.id ?? "");
    return undefined;
  } catch (error) {
    if (isUnclear(error)) return error;
    throw new AgentPlatformError(`${nameOfRevision(revision)} cannot be redeployed (${messageOf(error)})`, {
      cause: error,
    });
  }
}

/** Waits until the copy serves. @returns The result of the rollback in words: `now` for the message, `then` for the state. */
async function awaitCopy(
  context: Context,
  { deploymentId, __progressUrn: urn = context.call.urn }: RevisionCheck,
  { deployment, revision }: Before,
  copy: string,
): Promise<{ readonly now: string; readonly then: string; readonly cause?: unknown }> {
  const to = nameOfRevision(revision);
  /** Another revision may have come in its place: only what the platform shows of it says that it is the copy. */
  const told = async (id: string, does: string): Promise<string> => {
    const shown = await readRevision(context.send, deploymentId, id).catch(() => undefined);
    if (shown !== undefined && isCopy(shown.data, revision)) return `was rolled back: ${does}, a copy of ${to}`;
    return `was to be rolled back: ${does}, which is not shown to be a copy of ${to}`;
  };
  try {
    const { activeRevisionId: serving } = await rollOut(context, {
      deploymentId,
      deploymentName: deployment.name,
      revisionId: copy,
      // Accept a revision that comes after the copy: the next check judges it.
      followsPushes: true,
      ...(urn !== undefined && { __progressUrn: urn }),
    });
    const isIt = serving === null || serving === copy;
    const now = isIt ? `revision ${copy} serves now` : `revision ${serving}, made after ${copy}, serves now`;
    return {
      now: await told(serving ?? copy, now),
      then: await told(copy, `revision ${copy} took its place`),
    };
  } catch (cause) {
    const was = `was to be rolled back to ${to}: revision ${copy} came`;
    return { now: `${was}, but: ${messageOf(cause)}`, then: `${was}, and did not come to serve`, cause };
  }
}

/** Whether the program has changed its secrets since this revision. @param changedWith The revision with which it last changed them. */
function changedSince(
  all: readonly RevisionWire[],
  earlier: RevisionWire,
  changedWith: string | null | undefined,
): boolean {
  if (changedWith == null || changedWith === "") return false;
  const placeOf = (id: string | undefined): number => all.findIndex((each) => each.id === id);
  const before = supersededBy(changedWith);
  const changed = before === undefined ? placeOf(changedWith) : placeOf(before) - 1;
  // If the platform no longer lists that revision, it may be older or newer, so assume that the secrets have changed.
  return changed < 0 && before === undefined ? true : placeOf(earlier.id) > changed;
}

/** The revision after the failed one; undefined if the platform does not name it in time. */
async function revisionAfter(
  context: Context,
  { deploymentId, revisionId }: RevisionCheck,
): Promise<string | undefined> {
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
      context,
      timedOut: none,
      stopped: none,
    });
  } catch {
    return undefined;
  }
}

function nameOfRevision({ id, source_revision_config: config }: RevisionWire): string {
  const runs = textIn(config ?? {}, "repo_commit_sha") || textIn(config ?? {}, "image_uri");
  return `revision ${id ?? "without an id"}${runs ? ` (${runs})` : ""}`;
}
