import { z } from "zod";
import { allAssistants, isUuid, type GraphAssistant } from "../agents/assistants";
import type { ServedAgent } from "../agents/served-agent";
import { ApiError } from "../base/api-error";
import { timestamp } from "../base/clock";
import { agentBody, pageFields, searchAnswer } from "./agent-body";
import { AGENT_PATH, agentLookups } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";

const searchBody = z.object({
  graph_id: z.string().nullish(),
  name: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  ...pageFields,
});

/** docs/internals/platform.md, Assistants of an agent; and what its server says of itself. */
export const agentAssistantRoutes: RouteFactory = (services) => {
  const { agentOf } = agentLookups(services);

  const search = (request: ApiRequest): Response => {
    const agent = agentOf(request);
    const { graph_id: graphId, name, metadata, ...page } = agentBody(searchBody, request.body);
    const graphs = Object.keys(agent.graphs);
    if (graphId != null && !graphs.includes(graphId)) {
      const listed = graphs.map((graph) => `'${graph}'`).join(", ");
      throw new ApiError(404, `Graph '${graphId}' not found. Expected one of: [${listed}]`);
    }
    const found = allAssistants(agent.graphs).filter(
      (assistant) =>
        (graphId == null || assistant.graphId === graphId) &&
        (name == null || assistant.graphId.toLowerCase().includes(name.toLowerCase())) &&
        Object.entries(metadata ?? {}).every(([key, value]) => key === "created_by" && value === "system"),
    );
    const shown = found.map((assistant) => assistantFields(assistant, agent));
    return searchAnswer(shown, page);
  };

  const readAssistant = (request: ApiRequest): Response => {
    const agent = agentOf(request);
    const id = request.param("assistant_id");
    if (!isUuid(id)) throw new ApiError(422, "Invalid assistant ID: must be a UUID");
    const found = allAssistants(agent.graphs).find(({ assistantId }) => assistantId === id.toLowerCase());
    if (found === undefined) throw new ApiError(404, "Not Found");
    return Response.json(assistantFields(found, agent));
  };

  const ok = (request: ApiRequest): Response => {
    agentOf(request);
    return Response.json({ ok: true, services: {} });
  };
  const info = (request: ApiRequest): Response => {
    const { deploymentId, revisionId, tenantId } = agentOf(request);
    return Response.json({
      version: "0.0.0-emulator",
      langgraph_py_version: null,
      flags: {
        assistants: true,
        crons: false,
        langsmith: false,
        langsmith_tracing_replicas: false,
        langsmith_tracing_session_on_runs: false,
      },
      host: {
        kind: "emulator",
        project_id: deploymentId,
        host_revision_id: revisionId,
        revision_id: null,
        tenant_id: tenantId,
      },
    });
  };

  return [
    // The agent server's own, not the control plane's: it answers in both contracts.
    { method: "GET", path: `${AGENT_PATH}/ok`, contract: "documented", handle: ok },
    { method: "GET", path: `${AGENT_PATH}/info`, contract: "extended", handle: info },
    { method: "POST", path: `${AGENT_PATH}/assistants/search`, contract: "extended", handle: search },
    { method: "GET", path: `${AGENT_PATH}/assistants/:assistant_id`, contract: "extended", handle: readAssistant },
  ];
};

function assistantFields(
  { assistantId, graphId }: GraphAssistant,
  { servedSince }: ServedAgent,
): Record<string, unknown> {
  const at = timestamp(servedSince);
  return {
    assistant_id: assistantId,
    graph_id: graphId,
    config: {},
    context: {},
    metadata: { created_by: "system" },
    name: graphId,
    created_at: at,
    updated_at: at,
    version: 1,
    description: null,
  };
}
