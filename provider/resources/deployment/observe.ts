import { AgentPlatformError } from "../../base/errors";
import { asObject, type JsonObject } from "../../base/json";
import type { Request, Send } from "../../http/request";
import {
  found,
  requireSupported,
  observe,
  observeAll,
  UNSUPPORTED,
  valueOf,
  type Observation,
} from "../../lifecycle/observe/observation";
import { readDeployment, deploymentPages } from "./api";
import { AGENT_ENVIRONMENTS } from "./fields";
import type { DeploymentWire } from "./wire";
import type { Context } from "../../lifecycle/observe/context";
import type { Key } from "../../lifecycle/observe/read-object";

/** True while the platform deletes it: it still answers, but the deletion cannot be stopped (docs/internals/platform.md, Deletion of a deployment). */
export const isBeingDeleted = ({ status }: Pick<DeploymentWire, "status">): boolean =>
  /^AWAITING_(FINAL_)?DELETE$/.test(status ?? "");

/** The deployment of this id; undefined if it is gone. Every platform has this look-up. @param until When the wait that this belongs to ends. */
export async function deploymentOf(
  { send }: Pick<Context, "send">,
  id: string,
  until?: number,
  effort?: Request["effort"],
): Promise<DeploymentWire | undefined> {
  return valueOf(requireSupported(await observe(() => readDeployment(send, id, until, effort)), `Deployment ${id}`));
}

/** A deployment, in messages. */
export const showDeployment = ({ id, name }: DeploymentWire): string => `deployment "${name ?? ""}" (${id})`;

/** Throws if a deployment is gone or being deleted. @param what The deployment, for messages. @param gone The error if it is gone. */
export function lasting(deployment: DeploymentWire | undefined, what: string, gone?: Error): DeploymentWire {
  const next = "run `pulumi up --refresh`, which creates it again";
  if (deployment === undefined) throw gone ?? new AgentPlatformError(`${what} is gone; ${next}`);
  if (!isBeingDeleted(deployment)) return deployment;
  throw new AgentPlatformError(`${what} is being deleted (${deployment.status ?? ""}); ${next}`);
}

/**
 * The deployments of exactly this name, or that of the agent that is declared instead; unsupported if this platform does not list deployments. Without a
 * declaration, as for an import, the name may be that of an agent and an environment. @param enough As in {@link observeAll}.
 */
export async function deploymentsNamed(
  { connection, send }: Context,
  { name, inputs }: Extract<Key, { readonly name: string }>,
  enough?: number,
): Promise<Observation<readonly DeploymentWire[]>> {
  if (connection.contract === "documented") return UNSUPPORTED;
  const agent = agentIn(inputs ?? {});
  if (agent !== undefined) return deploymentOfAgent(send, agent);
  const isNamed = (listed: DeploymentWire): boolean => listed.name === name;
  const named = await observeAll(deploymentPages(send, { name_contains: name }), isNamed, enough);
  const meant = inputs === undefined && valueOf(named)?.length === 0 ? agentNamed(name) : undefined;
  return meant === undefined ? named : deploymentOfAgent(send, meant);
}

type Agent = NonNullable<DeploymentWire["agent"]>;

const agentIn = ({ agent }: JsonObject): Agent | undefined => {
  const { agentId, environment } = asObject(agent);
  return typeof agentId === "string" && typeof environment === "string"
    ? { agent_id: agentId, environment }
    : undefined;
};

/** An import's "<agentId>/<environment>". */
function agentNamed(name: string): Agent | undefined {
  const [id = "", environment = ""] = name.split("/");
  return AGENT_ENVIRONMENTS.some((each) => name === `${id}/${each}`) ? { agent_id: id, environment } : undefined;
}

/** The deployment of an agent in an environment, if there is one. Throws where the platform does not know the filters: any deployment could then be taken for it. */
async function deploymentOfAgent(send: Send, agent: Agent): Promise<Observation<readonly DeploymentWire[]>> {
  const listed = (environment: string) =>
    observeAll(
      deploymentPages(send, { agent_id: agent.agent_id, agent_environment: environment }),
      ({ is_preview: isPreview }) => isPreview !== true,
    );
  const seen = await listed(agent.environment);
  if (seen.state !== "found") return seen;
  const [first, ...more] = seen.value;
  if (first === undefined) return seen;
  // Whatever is in this environment is in no other.
  const other = AGENT_ENVIRONMENTS.find((each) => each !== agent.environment) ?? "";
  const isFiltered = more.length === 0 && valueOf(await listed(other))?.some(({ id }) => id === first.id) !== true;
  const isOthers =
    first.agent !== undefined &&
    (first.agent.agent_id !== agent.agent_id || first.agent.environment !== agent.environment);
  if (!isFiltered || isOthers)
    throw new AgentPlatformError(
      `this platform does not filter deployments by agent, so it is not known which one is that of ${agent.agent_id} in ${agent.environment}. ` +
        "Declare a name instead of agent",
    );
  return found([{ ...first, agent }], seen.date);
}
