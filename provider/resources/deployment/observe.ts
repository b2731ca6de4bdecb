import { AgentPlatformError } from "../../base/errors";
import {
  mapFound,
  requireSupported,
  observe,
  observeAll,
  observeInPages,
  UNSUPPORTED,
  type Observation,
} from "../../lifecycle/observe/observation";
import { readDeployment, deploymentPages } from "./api";
import type { DeploymentWire } from "./wire";
import type { Context, Found } from "../../lifecycle/observe/context";

/** True while the platform deletes it: it still answers, but the deletion cannot be stopped (docs/internals/platform.md, Deletion of a deployment). */
export const isBeingDeleted = ({ status }: Pick<DeploymentWire, "status">): boolean =>
  /^AWAITING_(FINAL_)?DELETE$/.test(status ?? "");

/** The deployment of this id; undefined if it is gone. Every platform has this look-up. @param until When the wait that this belongs to ends. */
export async function deploymentOf(
  { send }: Pick<Context, "send">,
  id: string,
  until?: number,
  isPoll?: boolean,
): Promise<DeploymentWire | undefined> {
  const result = requireSupported(await observe(() => readDeployment(send, id, until, isPoll)), `Deployment ${id}`);
  return result.state === "found" ? result.value : undefined;
}

/** Throws if a deployment is gone or being deleted. @param what The deployment, for messages. @param gone The error if it is gone. */
export function lasting(deployment: DeploymentWire | undefined, what: string, gone?: Error): DeploymentWire {
  const next = "run `pulumi up --refresh`, which creates it again";
  if (deployment === undefined) throw gone ?? new AgentPlatformError(`${what} is gone; ${next}`);
  if (!isBeingDeleted(deployment)) return deployment;
  throw new AgentPlatformError(`${what} is being deleted (${deployment.status ?? ""}); ${next}`);
}

/** All deployments of exactly this name; unsupported if this platform does not list deployments. */
export async function deploymentsNamed(
  { connection, send }: Context,
  name: string,
): Promise<Observation<readonly Found<DeploymentWire>[]>> {
  if (connection.contract === "documented") return UNSUPPORTED;
  const all = await observeAll(deploymentPages(send, name), (listed) => listed.name === name);
  return mapFound(all, (found) => found.map((live) => ({ id: live.id, live })));
}

/** The deployment of exactly this name; unsupported if this platform does not list deployments. */
export async function deploymentNamed(
  { connection, send }: Context,
  name: string,
): Promise<Observation<DeploymentWire>> {
  if (connection.contract === "documented") return UNSUPPORTED;
  return observeInPages(deploymentPages(send, name), (listed) => listed.name === name);
}
