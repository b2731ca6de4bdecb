import { randomUUID } from "node:crypto";
import { z } from "zod";
import { allAssistants } from "../agents/assistants";
import type { ServedAgent } from "../agents/served-agent";
import { ApiError } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { AssistantRecord } from "../platform/agent-records";
import { newRecord } from "../store/collection";
import { fields } from "../store/define-collection";
import { agentBody, contains, keptFields, pageFields, searchAnswer, sortFields } from "./agent-body";
import { AGENT_PATH, agentLookups, uuidIn } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";

const text = z.string().optional();
const changeBody = z.looseObject({ ...keptFields, name: text, graph_id: text, description: text });
const createBody = changeBody.extend({
  graph_id: z.string(),
  assistant_id: text,
  description: z.string().nullish(),
  if_exists: z.enum(["raise", "do_nothing"]).optional(),
});
const searchBody = z.object({
  graph_id: z.string().nullish(),
  name: z.string().nullish(),
  metadata: fields.nullish(),
  ...sortFields("assistant_id", "graph_id", "name", "created_at", "updated_at"),
});
const latestBody = z.object({ version: z.int() });

/** docs/internals/platform.md, Assistants of an agent; and what its server says of itself. */
export const agentAssistantRoutes: RouteFactory = (services) => {
  const { platform, runs } = services;
  const { agentOf } = agentLookups(services);
  const { assistants: kept, crons, threads } = platform;

  const find = (request: ApiRequest, problem: (id: string) => string = () => "Not Found"): AssistantRecord => {
    const agent = agentOf(request);
    const id = uuidIn(request.param("assistant_id"), "assistant");
    const found = allAssistants(platform, agent).find(({ assistant_id: each }) => each === id);
    if (found === undefined) throw new ApiError(404, problem(id));
    return found;
  };
  const put = (record: AssistantRecord): Response => Response.json(shown(kept.put(record)));

  const create = (request: ApiRequest): Response => {
    const agent = agentOf(request);
    const given = agentBody(createBody, request.body);
    const id = given.assistant_id === undefined ? randomUUID() : uuidIn(given.assistant_id, "assistant");
    const { graph_id, config = {}, context = {}, metadata = {}, name = "", description = null } = checked(agent, given);
    const found = allAssistants(platform, agent).find(({ assistant_id: each }) => each === id);
    if (found !== undefined && given.if_exists === "do_nothing") return Response.json(shown(found));
    if (found !== undefined) throw new ApiError(409, `Assistant ${id} already exists`);
    const first = { version: 1, graph_id, config, context, metadata, name: name || "Untitled", description };
    const record = newRecord(agent.tenantId, request.now);
    const { created_at } = record;
    const versions = [{ ...first, created_at }];
    return put({ ...record, deployment_id: agent.deploymentId, assistant_id: id, ...first, versions });
  };
  const search = (request: ApiRequest): Response => {
    const agent = agentOf(request);
    const { graph_id: graphId, name, metadata, ...page } = agentBody(searchBody, request.body);
    if (graphId != null) requireGraph(agent, graphId);
    const found = allAssistants(platform, agent).filter(
      (each) =>
        (graphId == null || each.graph_id === graphId) &&
        each.name.toLowerCase().includes(name?.toLowerCase() ?? "") &&
        contains(each.metadata, metadata ?? {}),
    );
    return searchAnswer(found.map(shown), page);
  };
  const change = (request: ApiRequest): Response => {
    const agent = agentOf(request);
    uuidIn(request.param("assistant_id"), "assistant");
    const { config = {}, metadata, ...given } = checked(agent, agentBody(changeBody, request.body));
    const old = find(request, (id) => `Assistant ${id} not found`);
    const next = {
      version: Math.max(old.version, ...old.versions.map(({ version }) => version)) + 1,
      graph_id: given.graph_id ?? old.graph_id,
      config: Object.keys(config).length > 0 ? config : old.config,
      context: given.context ?? old.context,
      metadata: { ...old.metadata, ...metadata },
      name: given.name ?? old.name,
      description: given.description ?? old.description,
    };
    const at = timestamp(request.now);
    return put({ ...old, ...next, updated_at: at, versions: [...old.versions, { ...next, created_at: at }] });
  };
  const versions = (request: ApiRequest): Response => {
    const found = find(request);
    const { metadata, ...page } = agentBody(z.object({ metadata: fields.nullish(), ...pageFields }), request.body);
    const all = found.versions.filter((each) => contains(each.metadata, metadata ?? {}));
    return searchAnswer(all.map((each) => ({ assistant_id: found.assistant_id, ...each })).reverse(), page);
  };
  const setLatest = (request: ApiRequest): Response => {
    const { version } = agentBody(latestBody, request.body);
    const old = find(request);
    const again = old.versions.find((each) => each.version === version);
    if (again === undefined) throw new ApiError(404, `Version ${version} not found for assistant ${old.assistant_id}`);
    const { created_at: _at, graph_id: _graph, context: _context, ...back } = again;
    return put({ ...old, ...back, updated_at: timestamp(request.now) });
  };
  const remove = (request: ApiRequest): Response => {
    const agent = agentOf(request);
    const { id, assistant_id } = find(request, (gone) => `Assistant with ID ${gone} not found`);
    if (kept.get(agent.tenantId, id) === undefined)
      throw new ApiError(403, "The emulator's agents keep the assistant of each graph as it is.");
    kept.remove(id);
    for (const cron of crons.having(agent.tenantId, agent.deploymentId))
      if (cron.assistant_id === assistant_id) crons.remove(cron.id);
    if (request.query("delete_threads")?.toLowerCase() === "true")
      for (const thread of threads.list(agent).filter(({ metadata }) => metadata["assistant_id"] === assistant_id)) {
        runs.forgetThread(thread.id);
        threads.remove(thread);
      }
    return new Response(null, { status: 204 });
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
        crons: true,
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

  const all = `${AGENT_PATH}/assistants`;
  const one = `${all}/:assistant_id`;
  return [
    // The agent server's own, not the control plane's: it answers in both contracts.
    { method: "GET", path: `${AGENT_PATH}/ok`, contract: "documented", handle: ok },
    { method: "GET", path: `${AGENT_PATH}/info`, contract: "extended", handle: info },
    { method: "POST", path: all, contract: "extended", handle: create },
    { method: "POST", path: `${all}/search`, contract: "extended", handle: search },
    { method: "GET", path: one, contract: "extended", handle: (request) => Response.json(shown(find(request))) },
    { method: "PATCH", path: one, contract: "extended", handle: change },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
    { method: "POST", path: `${one}/versions`, contract: "extended", handle: versions },
    { method: "POST", path: `${one}/latest`, contract: "extended", handle: setLatest },
  ];
};

const shown = ({ assistant_id, graph_id, config, context, metadata, name, ...rest }: AssistantRecord) => {
  const { created_at, updated_at, version, description } = rest;
  const named = { assistant_id, graph_id, config, context, metadata, name };
  return { ...named, created_at, updated_at, version, description };
};

function requireGraph({ graphs }: ServedAgent, name: string): void {
  const names = Object.keys(graphs).sort();
  if (names.includes(name)) return;
  const listed = names.map((each) => `'${each}'`).join(", ");
  throw new ApiError(404, `Graph '${name}' not found. Expected one of: [${listed}]`);
}

/** With `config.configurable` and `context` as one thing. A graph or a config that cannot be is refused before anything else. */
function checked<T extends z.infer<typeof changeBody | typeof createBody>>(agent: ServedAgent, given: T): T {
  const { config = {}, context = {}, graph_id: graphId } = given;
  if (graphId !== undefined) requireGraph(agent, graphId);
  const { configurable = {} } = config;
  const [hasConfigurable, hasContext] = [configurable, context].map((each) => Object.keys(each).length > 0);
  if (hasConfigurable && hasContext) throw new ApiError(400, "Give configurable or context, not both");
  if (hasConfigurable) return { ...given, context: configurable };
  return hasContext ? { ...given, config: { ...config, configurable: context } } : given;
}
