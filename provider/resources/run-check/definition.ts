import { runCheckTable, type RunCheckInputs } from "./fields";
import { defineResource } from "../../lifecycle/defined";
import type { JsonObject } from "../../base/json";
import { noEndpointFor } from "../../base/settings";
import { AgentPlatformError, messageOf } from "../../base/errors";
import type { Context, State } from "../../lifecycle/observe/context";
import { RunFailed } from "./attempt";
import { assistantName, check, type Checked } from "./check";
import { goBack } from "./roll-back";
import { confirmServes, isAboutRevision, refuseWhileRolledBack } from "./serves";
import { refuseAgent } from "../deployment/agent";

/**
 * A run of an assistant that has to pass. It has no object on the platform, so there is nothing to read. A failed check is either not in state
 * or still has its old arguments there, so the next `up` runs it again.
 */
export const runCheck = defineResource<RunCheckInputs, Checked>({
  table: runCheckTable,
  *refuse(proposed) {
    yield* refuseAgent("RunCheck", proposed);
    const { connection, after } = proposed;
    const { rollBack = false } = after;
    if (rollBack !== false && connection?.contract === "documented")
      yield { path: ["rollBack"], reason: noEndpointFor("a redeploy") };
  },

  async create(context, { inputs }) {
    const live = await checkRevision(context, inputs, undefined);
    return { id: live.runId, live };
  },
  update: (context, state, inputs) => checkRevision(context, inputs, state),
  async delete(context, { outputs }) {
    await refuseWhileRolledBack(context, outputs);
    return "deleted";
  },

  toInputs: () => ({}),
  toComputed: (passed): JsonObject => ({ ...passed }),
});

/** Runs the check on a revision that must serve before and after the run. If it fails and `rollBack` allows it, restores the previous revision. */
async function checkRevision(context: Context, inputs: RunCheckInputs, state: State | undefined): Promise<Checked> {
  const { rollBack = false, revisionId, deploymentId } = inputs;
  const before = state?.outputs ?? {};
  const { failedDeploymentId = deploymentId } = before;
  if (!isAboutRevision(inputs) || failedDeploymentId !== deploymentId) await refuseWhileRolledBack(context, before);
  if (!isAboutRevision(inputs)) return checkAny(context, inputs);
  await confirmServes(context, inputs, before);
  let passed: Checked;
  try {
    passed = await check(context, inputs);
  } catch (error) {
    if (rollBack === false) throw error;
    if (error instanceof RunFailed) return goBack(context, inputs, state, error);
    const why = `Nothing was put back, since this does not say that the agent is wrong: revision ${revisionId} stays`;
    throw new AgentPlatformError(`${messageOf(error)}\n${why}`, { cause: error });
  }
  await confirmServes(context, inputs, {}, true);
  return passed;
}

/** Runs the check on whichever revision serves. A `revisionId` without a deployment is accepted: programs use it to run the check again. */
async function checkAny(context: Context, inputs: RunCheckInputs): Promise<Checked> {
  const { url, revisionId } = inputs;
  const passed = await check(context, inputs);
  if (typeof revisionId === "string") {
    context.log.warn(
      `assistant "${assistantName(context, inputs)}" at ${url} passed, and nothing says that revision ${revisionId} answered: to make sure of it, give the check its ` +
        "`deployment`, or `deploymentId`",
    );
  }
  return passed;
}
