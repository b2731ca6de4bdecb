import { passOn } from "../agents/pass-on";
import { servedAgent } from "../agents/served-agent";
import { ApiError } from "../base/api-error";
import type { Exchange, Tenant } from "../base/exchange";
import type { RouteServices } from "./route";

/**
 * The answer of a deployment's own agent; undefined where the agent is the emulator's. Throws as `servedAgent` does, and a 502 if the server does not
 * answer.
 */
export async function ownAgentAnswer(
  { platform, agents, clock }: RouteServices,
  exchange: Exchange,
  tenant: Tenant,
): Promise<Response | undefined> {
  const [, , deploymentId = "", ...rest] = exchange.url.pathname.split("/");
  const now = clock.now();
  const name = platform.deployments.nameOf(tenant.tenantId, deploymentId);
  const own = name === undefined ? undefined : agents.own.get(name);
  if (name === undefined || own === undefined) return undefined;
  const { revisionId } = servedAgent(platform, agents, { tenantId: tenant.tenantId, deploymentId }, now);
  const server = "url" in own ? own.url : agents.serverOf(revisionId);
  const what = `deployment "${name}"`;
  if (server === undefined)
    throw new ApiError(502, `The agent of ${what} is starting, or has ended: see the log of its revision.`);
  return passOn(exchange, { what, server, path: `/${rest.join("/")}`, key: tenant.apiKey });
}
