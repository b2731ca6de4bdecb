import { randomUUID } from "node:crypto";
import { ApiError } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { AssistantRecord } from "../platform/agent-records";
import type { EmulatedPlatform } from "../platform/platform";
import { assistantIdOf } from "./graph";
import type { ServedAgent } from "./served-agent";

/** An assistant's graph, and the ids by which a run names both. */
export type GraphAssistant = Readonly<ReturnType<typeof findAssistant>>;

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

export const unknownThreadOrAssistant = (): ApiError => new ApiError(404, "Thread or assistant not found.");

/** The assistants of a server, newest first: each graph's own, unless it was changed, and those that it keeps. */
export function allAssistants(
  { assistants }: Pick<EmulatedPlatform, "assistants">,
  agent: ServedAgent,
): readonly AssistantRecord[] {
  const kept = assistants.having(agent.tenantId, agent.deploymentId);
  const changed = new Set(kept.map(({ assistant_id: id }) => id));
  const own = Object.keys(agent.graphs).map((graphId) => ownAssistant(agent, graphId));
  return [...own.filter(({ assistant_id: id }) => !changed.has(id)), ...kept].reverse();
}

function ownAssistant({ tenantId, deploymentId, servedSince }: ServedAgent, graphId: string): AssistantRecord {
  const state = { graph_id: graphId, config: {}, context: {}, metadata: { created_by: "system" }, name: graphId };
  const first = { version: 1, ...state, description: null };
  const at = timestamp(servedSince);
  return {
    ...{ id: randomUUID(), tenant_id: tenantId, created_at: at, updated_at: at },
    ...{ deployment_id: deploymentId, assistant_id: assistantIdOf(graphId) },
    ...first,
    versions: [{ ...first, created_at: at }],
  };
}

/** The assistant with that id, or that of the graph. Throws 404 for an unknown UUID and 422 for any other text, as the Python server does. */
export function findAssistant(platform: Pick<EmulatedPlatform, "assistants">, agent: ServedAgent, wanted: string) {
  const { graphs } = agent;
  const id = Object.hasOwn(graphs, wanted) ? assistantIdOf(wanted) : wanted.toLowerCase();
  const found = allAssistants(platform, agent).find(({ assistant_id: each }) => each === id);
  const graph = found && graphs[found.graph_id];
  if (found && graph) return { graphId: found.graph_id, assistantId: id, graph, context: found.context };
  if (isUuid(wanted)) throw unknownThreadOrAssistant();
  const choices = `- A valid assistant UUID, or\n- One of the registered graphs: ${Object.keys(graphs).join(", ")}`;
  throw new ApiError(422, `Invalid assistant: '${wanted}'. Must be either:\n${choices}`);
}
