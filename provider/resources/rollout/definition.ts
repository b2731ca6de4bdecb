import { type RolloutInputs, rolloutTable } from "./fields";
import { defineResource } from "../../lifecycle/defined";
import { sameAddress } from "../../base/address";
import { AgentPlatformError, isCancelled, messageOf } from "../../base/errors";
import { compact, hasUnknown, isObject, type JsonObject, sameJson, UNKNOWN, textIn } from "../../base/json";
import { ABSENT, found, observe, UNSUPPORTED, valueOf } from "../../lifecycle/observe/observation";
import { changesBetween, type Change } from "../../lifecycle/fields/diff";
import { PROBLEM, pickInputs } from "../../lifecycle/state";
import { howToEnd, limitOf, pauseAfter, waitFor } from "../../lifecycle/wait/wait";
import { isGivenAddress } from "../deployment/agent";
import { deploymentList, readRevision } from "../deployment/api";
import { deploymentTable } from "../deployment/fields";
import { isOfRevision } from "../deployment/patch";
import { comparedWith } from "../deployment/update-once";
import { deploymentOf } from "../deployment/observe";
import { supersededBy } from "../deployment/revision";
import { commitOf, customUrlOf, type DeploymentWire, urlOf } from "../deployment/wire";
import { failed, timedOut } from "./failure";
import { classify, type Serving } from "./classify";
import { type RevisionStatus, revisionStatusOf } from "./revision-status";
import { RevisionWatch } from "./watch";
import { durationMs, showDuration } from "../../base/time";
import type { Context, WaitAdvice } from "../../lifecycle/observe/context";

const DEFAULT_LIMIT_MS = 30 * 60_000;

const RESUMES = "run `pulumi up` again, which resumes the wait";
const ADVICE: WaitAdvice = {
  failed:
    "Correct the deployment's arguments and run `pulumi up` (it updates this deployment); to retry a transient failure, change redeployTrigger",
  timedOut: `Nothing is lost: ${RESUMES}; or raise rolloutTimeout`,
  stopped: `Nothing is lost: fix that, and ${RESUMES}`,
};

interface RolloutResult {
  readonly deployment: DeploymentWire;
  readonly activeRevisionId: string | null;
  /** The latest revision, if it serves: a read moves only to a revision that serves. */
  readonly servingRevisionId: string | undefined;
  /** The revision that replaced the declared one: that was superseded or had no id yet, or a push created a newer one. */
  readonly followedRevisionId: string | undefined;
  readonly problem: string | undefined;
}

/** The wait until a revision of a deployment is DEPLOYED. Losing it costs nothing: the next `up` waits again. */
export const rollout = defineResource<RolloutInputs, RolloutResult>({
  table: rolloutTable,
  references: [
    {
      path: ["revisionId"],
      one: "revision",
      async observe({ send }, id, { deploymentId }) {
        const isNamed = typeof deploymentId === "string" && deploymentId !== UNKNOWN && supersededBy(id) === undefined;
        return isNamed ? observe(() => readRevision(send, deploymentId, id)) : UNSUPPORTED;
      },
      remedy: "Correct deploymentId or revisionId; `npx pulumi-agent-platform revisions` lists the revisions",
    },
  ],
  suppressDiff: ({ path }, state, { revisionId, customUrl }) => {
    // The wait may have followed to this revision, which the deployment's next read then names.
    const tookItsPlace = state["__followedRevisionId"];
    if (path[0] === "revisionId") return tookItsPlace !== undefined && revisionId === tookItsPlace;
    if (path[0] !== "customUrl") return false;
    // States of earlier versions do not record the address; the next read does.
    const { __customUrl: seen } = state;
    if (typeof seen === "string" && typeof customUrl === "string") return sameAddress(seen, customUrl);
    return seen === undefined;
  },

  stableOutputs: ({ deploymentName }, program) => {
    const isKept = typeof deploymentName === "string" && keepsAddress(program.of("Deployment", deploymentName));
    return isKept ? ["url"] : [];
  },

  async create(context, { inputs }) {
    return { id: inputs.deploymentId, live: await rollOut(context, inputs) };
  },

  async observe(context, key) {
    if ("name" in key) return UNSUPPORTED;
    const { id, outputs = {} } = key;
    // Earlier versions wrote "<deployment>/<revision>", which named the first revision forever.
    const deploymentId = textIn(outputs, "deploymentId") ?? id.split("/")[0] ?? id;
    const deployment = await listedDeployment(context, deploymentId);
    if (deployment === undefined) return ABSENT;
    const standing = await revisionStatusOf(context, deployment);
    if ("state" in standing) return standing;
    const activeRevisionId = standing.servingRevisionId ?? deployment.active_revision_id;
    return found({
      id: deploymentId,
      live: {
        deployment,
        activeRevisionId: activeRevisionId ?? textIn(outputs, "activeRevisionId") ?? null,
        servingRevisionId: standing.servingRevisionId,
        followedRevisionId: followed(standing, outputs),
        // With `buildOnPush`, a revision that is still being built is not a problem; one that failed is.
        problem: standing.isPending && outputs["followsPushes"] === true ? undefined : standing.problem,
      },
    });
  },

  async update(context, { outputs }, inputs, changes) {
    const now = await rollOut(context, inputs);
    const isAsked = changes.some(({ path }) => path[0] === "revisionId" || path[0] === PROBLEM);
    if (isAsked || outputs["followsPushes"] === true) return now;
    // Its revision has served before. A revision that has replaced it since is somebody else's, and only a read may move to that.
    const activeRevisionId = textIn(outputs, "activeRevisionId") ?? null;
    return { ...now, activeRevisionId, followedRevisionId: textIn(outputs, "__followedRevisionId") };
  },

  // It has no object on the platform.
  delete: () => Promise.resolve("deleted" as const),

  // A latest revision that serves is drift, unless the rollout followed it. One that does not serve is a problem.
  toInputs: ({ deployment, servingRevisionId, followedRevisionId }) => ({
    deploymentId: deployment.id,
    revisionId: servingRevisionId === followedRevisionId ? undefined : servingRevisionId,
    // If it differs, the next update reads the agent's address.
    customUrl: customUrlOf(deployment) ?? undefined,
  }),
  filledIn: ({ id, inputs: { customUrl } }, connection) =>
    isGivenAddress(customUrl, id, connection) ? [["customUrl"]] : [],
  toProblem: ({ problem }) => problem,
  toComputed: (live, before) => ({
    activeRevisionId: live.activeRevisionId,
    url: urlOf(live.deployment),
    ...builtFrom(live, before),
    __followedRevisionId: live.followedRevisionId,
    __customUrl: customUrlOf(live.deployment),
  }),
});

/** The deployment, from the kept list if possible; undefined if it is gone. */
async function listedDeployment(context: Context, id: string): Promise<DeploymentWire | undefined> {
  const look = async () => {
    const live = await deploymentOf(context, id);
    return live === undefined ? ABSENT : found({ id, live });
  };
  const isListed = context.connection.contract === "extended";
  return valueOf(await (isListed ? deploymentList.current(context).findOr(id, look) : look()))?.live;
}

/** The revision that a read shows: the one followed before; if pushes create revisions, the latest one that serves. */
function followed({ servingRevisionId }: RevisionStatus, outputs: JsonObject): string | undefined {
  const isPushed = outputs["followsPushes"] === true && servingRevisionId !== outputs["revisionId"];
  return isPushed && servingRevisionId !== undefined ? servingRevisionId : textIn(outputs, "__followedRevisionId");
}

/** The commit and image of the revision that serves. A deployment's answer has those of its latest revision; for another one only the state has them. */
function builtFrom({ deployment, activeRevisionId }: RolloutResult, before: JsonObject): JsonObject {
  const latest = { repoCommitSha: commitOf(deployment), imageVersion: deployment.image_version ?? null };
  if (activeRevisionId !== null && activeRevisionId === deployment.latest_revision_id) return latest;
  const known: JsonObject = activeRevisionId === before["activeRevisionId"] ? before : {};
  return {
    repoCommitSha: known["repoCommitSha"] ?? null,
    imageVersion: known["imageVersion"] ?? null,
    __latestBuiltFrom: latest,
  };
}

/** Waits until the revision of these inputs, or the one that took its place, is DEPLOYED. */
export async function rollOut(context: Context, inputs: RolloutInputs): Promise<RolloutResult> {
  const { clock, log, call } = context;
  const urn = inputs.__progressUrn ?? call.urn;
  const { advice = ADVICE } = call;
  const what = `${inputs.deploymentName === undefined ? "deployment" : `deployment "${inputs.deploymentName}"`} (${inputs.deploymentId})`;
  const began = clock.now();
  const watch = new RevisionWatch(context, what, inputs);
  const { revision: awaited } = watch;
  const waited = (waitedMs: number | undefined) => ({ context, deploymentId: inputs.deploymentId, what, waitedMs });
  /** What had ended before the first look was not waited for. */
  const unlessEnded = (ms: number): number | undefined => (watch.polls > 1 ? ms : undefined);
  const serving = await waitFor({
    poll: (until) => watch.poll(until),
    condition: (seen) => classify(seen, () => failed(waited(unlessEnded(clock.now() - began)), seen, advice.failed)),
    limitMs: limitOf(call, durationMs(inputs.rolloutTimeout ?? ""), DEFAULT_LIMIT_MS),
    context,
    pause: (waitedMs, random, longestMs) => pauseAfter(watch.ageMs ?? waitedMs, watch.isEnding, random, longestMs),
    onPending: (status, waitedMs) =>
      log.progress({
        status,
        of: `${inputs.deploymentName ?? inputs.deploymentId}: ${watch.revision}`,
        waitedMs,
        note: howToEnd(context),
        urn,
      }),
    timedOut: (status, waitedMs) =>
      timedOut(waited(waitedMs), watch.revision, { revisionId: watch.revisionId, status }, advice.timedOut),
    stopped: (problem, status, waitedMs) =>
      new AgentPlatformError(
        `${what}: the wait for ${watch.revision} ended after ${showDuration(waitedMs)}, its last status was ${status}: ${messageOf(problem)}. ${isCancelled(problem) ? `Nothing is lost: ${RESUMES}` : advice.stopped}`,
        { cause: problem },
      ),
  });
  await refuseAnothers(context, inputs, serving, what, awaited);
  const waitedMs = clock.now() - began;
  await log.finishProgress({ status: "DEPLOYED", waitedMs: unlessEnded(serving.ageMs ?? waitedMs), urn });
  return {
    deployment: serving.deployment,
    // The deployment's answer may still name the previous revision.
    activeRevisionId: serving.revisionId,
    servingRevisionId: serving.revisionId,
    followedRevisionId: serving.revisionId === inputs.revisionId ? undefined : serving.revisionId,
    problem: undefined,
  };
}

/**
 * Throws if a revision other than the awaited one, or one that had no name yet, differs from the declaration, because somebody else made it. With
 * `buildOnPush`, pushes may.
 */
async function refuseAnothers(
  { program, send }: Context,
  { revisionId: awaited, followsPushes }: RolloutInputs,
  { revisionId, deployment }: Serving,
  what: string,
  place: string,
): Promise<void> {
  if (awaited === revisionId || followsPushes === true) return;
  const { id, name } = deployment;
  // Empty where this process has not seen the declaration.
  const now = [name ?? "", id].flatMap((key) => program.of("Deployment", key).slice(-1))[0] ?? {};
  const isLatest = deployment.latest_revision_id === revisionId;
  // The deployment's answer is about its latest revision; of another one only what the revision itself shows is known.
  const config = isLatest ? undefined : (await readRevision(send, id, revisionId)).data.source_revision_config;
  const live = isLatest ? deployment : { ...deployment, source_revision_config: config ?? {} };
  const isShown = ({ path }: Change): boolean => isLatest || path[0] === "sourceRevisionConfig";
  const different = comparedWith(live, now).changes.filter((change) => isOfRevision(change) && isShown(change));
  const all = changesBetween(deploymentTable.fieldRules, {}, pickInputs(deploymentTable, now)).filter(isOfRevision);
  const notShown = all.filter((change) => !isShown(change));
  if (different.length + notShown.length === 0) return;
  const where = [...new Set([...different, ...notShown].map(({ path }) => String(path[0])))].sort().join(", ");
  const is = different.length > 0 ? "is not" : "is not shown to be";
  throw new AgentPlatformError(
    `${what}: revision ${revisionId} has taken the place of ${place}, and ${is} as declared (${where}): somebody else made it. To restore what is declared, ` +
      "run `pulumi up --refresh`; to keep it, edit the program first",
  );
}

/**
 * Whether an update keeps the address of a deployment. The platform assigns one, and only a change of the declaration changes it.
 * @param declared All declarations of the deployment that this process has seen: now, and in state. Values may be unknown.
 */
export function keepsAddress(declared: readonly JsonObject[]): boolean {
  const [one, ...others] = declared.map(addressIn);
  return one !== undefined && !hasUnknown(one) && others.every((other) => sameJson(one, other));
}

const addressIn = ({ sourceConfig, extra }: JsonObject): JsonObject =>
  compact({ customUrl: isObject(sourceConfig) ? sourceConfig["customUrl"] : sourceConfig, extra });
