import { servedAgent, type ServedAgent } from "../agents/served-agent";
import type { ThreadRecord } from "../platform/thread-record";
import type { ApiRequest, RouteServices } from "./route";

/** Below this path a deployment's agent answers. */
export const AGENT_PATH = "/agents/:deployment_id";

/** What a request to an agent is about. */
export interface AgentLookups {
  /** The agent; 404 and 503 as `servedAgent`. */
  readonly agentOf: (request: ApiRequest) => ServedAgent;
  /** The thread in the path, if this deployment has it. */
  readonly threadOf: (request: ApiRequest, deploymentId: string) => ThreadRecord | undefined;
}

export function agentLookups({ platform, agents }: RouteServices): AgentLookups {
  return {
    agentOf: ({ tenant, param, now }) =>
      servedAgent(platform, agents, { tenantId: tenant.tenantId, deploymentId: param("deployment_id") }, now),
    threadOf: ({ tenant, param }, deploymentId) => {
      const found = platform.threads.get(tenant.tenantId, param("thread_id").toLowerCase());
      return found?.deployment_id === deploymentId ? found : undefined;
    },
  };
}
