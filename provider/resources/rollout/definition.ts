import { z } from "zod";
import type { Send } from "../../http/client";
import type { Context, ResourceDefinition } from "../../lifecycle/definition";
import { AgentPlatformError, isNotFound } from "../../lifecycle/errors";
import type { FieldRules } from "../../lifecycle/fields";
import { instantOf } from "../../lifecycle/instant";
import type { JsonObject } from "../../lifecycle/json";
import { duration, durationMs, flag, inputsSchema, orUnknown, text } from "../../lifecycle/schema";
import { showDuration, waitFor } from "../../lifecycle/wait";
import { getDeployment, getRevision } from "../deployment/api";
import { deploymentList } from "../deployment/list";
import type { DeploymentWire } from "../deployment/wire";
import { isEnding, judge, meaningOf, type Seen } from "./judge";

const DEFAULT_LIMIT_MS = 30 * 60_000;
/** How many rollouts of the deployment the next one's duration is guessed from. */
const REMEMBERED = 3;

const rolloutInputs = inputsSchema({
  deploymentId: text(255),
  /** Null while the platform has not named the first revision: the deployment is then asked. */
  revisionId: orUnknown(z.string().min(1, "must not be empty").nullable()).optional(),
  deploymentName: text(255).optional(),
  /** The row of the engine's display that the progress stands on. */
  progressUrn: text(4096).optional(),
  followsPushes: flag().optional(),
  rolloutTimeout: duration().optional(),
});
type RolloutInputs = z.infer<typeof rolloutInputs.schema>;

const rolloutFields: FieldRules = {
  deploymentId: { replaceOn: "always" },
  deploymentName: { control: true },
  progressUrn: { control: true },
  followsPushes: { unreadable: "always", default: false },
  rolloutTimeout: { control: true },
};

interface Rolled {
  readonly deployment: DeploymentWire;
  /** The revision that serves. */
  readonly activeRevisionId: string | null;
  /** The revision that took the place of the declared one: that was superseded, or not named yet, or a push made a newer one. */
  readonly followedRevisionId: string | undefined;
  /** How long the latest rollouts took, in milliseconds; the newest last. */
  readonly durationsMs: readonly number[];
}

/** The wait until a revision of a deployment is DEPLOYED. Losing it costs nothing: the next `up` waits again. */
export const rollout: ResourceDefinition<RolloutInputs, Rolled> = {
  kind: "Rollout",
  api: "control",
  inputs: rolloutInputs,
  fields: rolloutFields,
  naturalKey: undefined,
  undocumented: [],
  // The deployment's next read names the revision that was followed to.
  isSettled: ({ path }, state, after) =>
    path[0] === "revisionId" &&
    state["followedRevisionId"] !== undefined &&
    after["revisionId"] === state["followedRevisionId"],

  async create(context, inputs) {
    const live = await rollOut(context, inputs, []);
    return { id: `${inputs.deploymentId}/${live.activeRevisionId ?? ""}`, live };
  },

  async read(context, { id, outputs }) {
    const deploymentId = textOf(outputs["deploymentId"]) ?? id.split("/")[0] ?? id;
    try {
      const deployment = await deploymentOf(context, deploymentId);
      const activeRevisionId = deployment.active_revision_id ?? textOf(outputs["activeRevisionId"]) ?? null;
      const followedRevisionId = followed(deployment, outputs);
      const durationsMs = durationsOf(outputs);
      return { id, live: { deployment, activeRevisionId, followedRevisionId, durationsMs } };
    } catch (error) {
      if (isNotFound(error)) return "gone";
      throw error;
    }
  },

  update: (context, { outputs }, inputs) => rollOut(context, inputs, durationsOf(outputs)),

  // Nothing of its own is on the platform.
  delete: () => Promise.resolve("gone" as const),

  // The latest revision is drift, unless it is the one that was followed to.
  toInputs: ({ deployment, followedRevisionId }) => {
    const latest = deployment.latest_revision_id ?? undefined;
    return { deploymentId: deployment.id, revisionId: latest === followedRevisionId ? undefined : latest };
  },
  toComputed: ({ deployment, activeRevisionId, followedRevisionId, durationsMs }) => ({
    activeRevisionId,
    followedRevisionId,
    url: urlOf(deployment),
    durationsMs: durationsMs.length > 0 ? [...durationsMs] : undefined,
  }),
};

/** From the deployments' list where it shows it. */
async function deploymentOf(context: Context, id: string): Promise<DeploymentWire> {
  const listed = context.connection.contract === "documented" ? undefined : deploymentList.current(context);
  return (await listed?.find(id))?.live ?? (await getDeployment(context.send, id)).data;
}

/** An absent or strange one is none: the waits are less well timed then, and nothing else. */
const durationsOf = (outputs: JsonObject): readonly number[] =>
  z.array(z.number().nonnegative()).catch([]).parse(outputs["durationsMs"]);

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** For a read: what was followed to before; where pushes make revisions by themselves, the latest one. */
function followed({ latest_revision_id: latest }: DeploymentWire, outputs: JsonObject): string | undefined {
  if (outputs["followsPushes"] === true && latest !== outputs["revisionId"]) return latest ?? undefined;
  return textOf(outputs["followedRevisionId"]);
}

/** Where the agent answers, as far as the platform says. */
function urlOf({ url, source_config: config }: DeploymentWire): string | null {
  const custom = config?.["custom_url"];
  return url ?? (typeof custom === "string" ? custom : null);
}

async function rollOut(context: Context, inputs: RolloutInputs, durationsMs: readonly number[]): Promise<Rolled> {
  const { send, clock, random, log } = context;
  const what = `${inputs.deploymentName === undefined ? "deployment" : `deployment "${inputs.deploymentName}"`} (${inputs.deploymentId})`;
  const limitMs = durationMs(inputs.rolloutTimeout ?? "") ?? DEFAULT_LIMIT_MS;
  const began = clock.now();
  const expectedMs = [...durationsMs].sort((one, other) => one - other)[Math.floor(durationsMs.length / 2)];
  let last: Seen = { revisionId: inputs.revisionId ?? null, status: "not looked at yet" };
  let looks = 0;
  const revision = (): string => (last.revisionId === null ? "its first revision" : `revision ${last.revisionId}`);
  const revisionId = await waitFor({
    probe: async (until) => {
      looks += 1;
      return (last = await look(context, inputs.deploymentId, last.revisionId, until));
    },
    judge: judge((seen) => failed(what, seen, clock.now() - began)),
    limitMs,
    clock,
    random,
    known: ({ ageMs, status }, waitedMs) => ({ ageMs: ageMs ?? waitedMs, expectedMs, isEnding: isEnding(status) }),
    onPending: (status, waitedMs) =>
      log.progress({
        status: `${inputs.deploymentName ?? inputs.deploymentId}: ${revision()} is ${status}`,
        waitedMs,
        urn: inputs.progressUrn,
      }),
    timedOut: (status, waited) =>
      new AgentPlatformError(
        `${what}: ${revision()} is still ${status} after ${showDuration(waited)}. Nothing is lost: look at its logs on the platform, and ` +
          "run `pulumi up` again, which goes on waiting; or raise rolloutTimeout",
      ),
  });
  const { data: deployment } = await getDeployment(send, inputs.deploymentId);
  // Of one that was over before anybody looked, nobody knows how long it took.
  const took = looks > 1 && last.ageMs !== undefined ? [last.ageMs] : [];
  return {
    deployment,
    activeRevisionId: deployment.active_revision_id ?? revisionId,
    followedRevisionId: revisionId === inputs.revisionId ? undefined : revisionId,
    durationsMs: [...durationsMs, ...took].slice(-REMEMBERED),
  };
}

function failed(what: string, seen: Seen, waitedMs: number): AgentPlatformError {
  return new AgentPlatformError(
    `${what}: revision ${seen.revisionId ?? "(unnamed)"} ended as ${seen.status} after ${showDuration(waitedMs)}. The platform gives no reason: look at the ` +
      "revision's logs there. Correct the deployment's arguments and run `pulumi up` (it updates this deployment); for a passing failure, change redeployTrigger",
  );
}

/** One look: at the revision; where it is superseded or not named yet, at the deployment's latest one. */
async function look({ send }: Context, deploymentId: string, revisionId: string | null, until: number): Promise<Seen> {
  if (revisionId !== null) {
    const seen = await lookAt(send, deploymentId, revisionId, until);
    if (meaningOf(seen.status) !== "superseded") return seen;
  }
  const latest = (await getDeployment(send, deploymentId, until)).data.latest_revision_id ?? null;
  if (latest === null) return { revisionId: null, status: "not there yet" };
  if (latest === revisionId) return { revisionId, status: "SKIPPED" };
  return lookAt(send, deploymentId, latest, until);
}

async function lookAt(send: Send, deploymentId: string, revisionId: string, until: number): Promise<Seen> {
  const { data, date } = await getRevision(send, deploymentId, revisionId, until);
  const made = instantOf(data.created_at);
  const ageMs = date === undefined || made === undefined ? undefined : Math.max(0, date - made);
  return { revisionId, status: data.status ?? "UNKNOWN", ageMs };
}
