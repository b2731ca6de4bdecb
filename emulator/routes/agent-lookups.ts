import { isUuid } from "../agents/assistants";
import type { Run } from "../agents/run";
import { servedAgent, type ServedAgent } from "../agents/served-agent";
import { ApiError } from "../base/api-error";
import type { ThreadRecord } from "../platform/agent-records";
import type { ApiRequest, RouteServices } from "./route";

/** Below this path a deployment's agent answers. */
export const AGENT_PATH = "/agents/:deployment_id";

/** What a request to an agent is about. */
export function agentLookups({ platform, agents, runs }: RouteServices) {
  /** The agent; 404 and 503 as `servedAgent`. */
  const agentOf = ({ tenant, param, now }: ApiRequest): ServedAgent =>
    servedAgent(platform, agents, { tenantId: tenant.tenantId, deploymentId: param("deployment_id") }, now);
  /** The thread in the path, if this agent has it. */
  const threadOf = (request: ApiRequest): ThreadRecord | undefined =>
    platform.threads.find(agentOf(request), request.param("thread_id").toLowerCase());
  /** The same, or 404; 422 for an id that is not a UUID. */
  const threadIn = (request: ApiRequest): ThreadRecord => {
    uuidIn(request.param("thread_id"), "thread");
    const found = threadOf(request);
    if (found === undefined) throw new ApiError(404, `Thread with ID ${request.param("thread_id")} not found`);
    return found;
  };
  /** The run in the path, if the thread there has it; 422 for an id that is not a UUID. */
  const runOf = (request: ApiRequest): Run | undefined => {
    uuidIn(request.param("thread_id"), "thread");
    const runId = uuidIn(request.param("run_id"), "run");
    const thread = threadOf(request);
    return thread && runs.find(thread.id, runId);
  };
  return { agentOf, threadOf, threadIn, runOf };
}

/** The id in lower case; 422 for one that is not a UUID. */
export function uuidIn(id: string, what: string): string {
  if (!isUuid(id)) throw new ApiError(422, `Invalid ${what} ID: must be a UUID`);
  return id.toLowerCase();
}
