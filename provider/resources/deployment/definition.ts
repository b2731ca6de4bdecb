import type { Answer } from "../../http/client";
import { createOnce, taken, type Creation } from "../../lifecycle/create-once";
import type { Context, ResourceDefinition } from "../../lifecycle/definition";
import { changesBetween, liveView, type Change } from "../../lifecycle/diff";
import { AgentPlatformError, isNotFound, isNotOffered } from "../../lifecycle/errors";
import { compact, isObject, type Json, type JsonObject } from "../../lifecycle/json";
import type { Problem } from "../../lifecycle/schema";
import { showDuration, waitFor } from "../../lifecycle/wait";
import { createDeployment, deleteDeployment, getDeployment, listDeployments } from "./api";
import { deploymentList } from "./list";
import { deploymentFields, deploymentInputs, type DeploymentInputs } from "./schema";
import { updateOnce } from "./update-once";
import { toInputs, type DeploymentWire } from "./wire";

const DELETE_LIMIT_MS = 15 * 60_000;

/** A deployment. Its verbs return as soon as the platform has accepted them; the Rollout waits (design.md, Deployment and Rollout). */
export const deployment: ResourceDefinition<DeploymentInputs, DeploymentWire> = {
  kind: "Deployment",
  api: "control",
  inputs: deploymentInputs,
  fields: deploymentFields,
  naturalKey: "name",
  undocumented: ["list", "delete"],
  list: deploymentList,
  refuse: refuseEmptyEnvironment,

  async create(context, inputs) {
    const creation: Creation<DeploymentWire> = {
      what: `Deployment "${inputs.name}"`,
      clock: context.clock,
      post: () => createDeployment(context.send, inputs),
      find: () => find(context, inputs.name),
      equal: (found) => isEqual(inputs, found),
      createdAt: (found) => found.created_at,
    };
    // The platform need not refuse a second deployment of the same name: look before asking for it.
    const before = await find(context, inputs.name);
    if (before !== "no way" && before.data !== undefined) throw taken(creation, before.data);
    const live = await createOnce(creation);
    return { id: live.id, live };
  },

  async find(context, { name, id }) {
    if (id === undefined) {
      const found = await find(context, name);
      return found === "no way" || found.data === undefined
        ? found === "no way"
          ? found
          : undefined
        : { id: found.data.id, live: found.data };
    }
    try {
      return { id, live: (await getDeployment(context.send, id)).data };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  },

  async read({ send }, { id }) {
    try {
      return { id, live: (await getDeployment(send, id)).data };
    } catch (error) {
      // GET is documented, so its 404 means what it says.
      if (isNotFound(error)) return "gone";
      throw error;
    }
  },

  update: updateOnce,

  async delete(context, { id, outputs }) {
    const what = `Deployment "${typeof outputs["name"] === "string" ? outputs["name"] : id}" (${id})`;
    let offered = true;
    try {
      await deleteDeployment(context.send, id);
    } catch (error) {
      if (!isNotFound(error) && !isNotOffered(error)) throw error;
      offered = false;
    }
    const still = await statusOf(context, id);
    if (still === undefined) return "gone";
    // DELETE said 404 or 405, yet the deployment is there: this platform has no such endpoint.
    if (!offered && !/^AWAITING_(FINAL_)?DELETE$/.test(still)) return { left: what };
    await waitUntilGone(context, id, what);
    return "gone";
  },

  toInputs,
  toComputed: (live, before) => ({
    latestRevisionId: live.latest_revision_id ?? null,
    createdAt: live.created_at ?? before["createdAt"] ?? null,
  }),
};

/** The platform ignores an empty list of variables, so an update that clears the last one would only seem to work. */
function refuseEmptyEnvironment(before: JsonObject, after: JsonObject, changes: readonly Change[]): Problem[] {
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
        "the last variable of the environment cannot be removed: the platform ignores an empty list. Keep one, or replace the deployment",
    },
  ];
}

/** An unknown map may have entries: it counts as one. */
const sizeOf = (map: Json): number => (isObject(map) ? Object.keys(map).length : 1);

function isEqual(inputs: DeploymentInputs, found: DeploymentWire): boolean {
  const declared = compact({ ...inputs });
  const view = liveView(deploymentFields, declared, toInputs(found, declared));
  return changesBetween(deploymentFields, view, declared).length === 0;
}

/** The deployment of exactly this name; "no way" where this platform lists none. */
async function find(
  { connection, send }: Context,
  name: string,
): Promise<Answer<DeploymentWire | undefined> | "no way"> {
  if (connection.contract === "documented") return "no way";
  try {
    for await (const { data, date } of listDeployments(send, name)) {
      const named = data.find((found) => found.name === name);
      if (named !== undefined) return { data: named, date };
    }
    return { data: undefined, date: undefined };
  } catch (error) {
    if (isNotFound(error) || isNotOffered(error)) return "no way";
    throw error;
  }
}

async function statusOf({ send }: Context, id: string, until?: number): Promise<string | undefined> {
  try {
    return (await getDeployment(send, id, until)).data.status ?? "UNKNOWN";
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** DELETE is asynchronous: only the 404 of GET says that the deployment is gone (platform-facts.md). */
async function waitUntilGone(context: Context, id: string, what: string): Promise<void> {
  const { clock, random, log } = context;
  await waitFor({
    probe: (until) => statusOf(context, id, until),
    judge: (status) => (status === undefined ? { state: "done", result: undefined } : { state: "pending", status }),
    limitMs: DELETE_LIMIT_MS,
    clock,
    random,
    onPending: (status, waitedMs) => log.progress({ status: `deleting ${what}: ${status}`, waitedMs }),
    timedOut: (status, waited) =>
      new AgentPlatformError(
        `${what} is still ${status} ${showDuration(waited)} after it was deleted. It stays in the state: run the command again, which goes on waiting`,
      ),
  });
}
