import { badRequest, conflict, invalid, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import { deployments } from "../platform/deployment-record";
import {
  createPlatformAgentBody,
  patchPlatformAgentBody,
  type PlatformAgentRecord,
  platformAgents,
} from "../platform/platform-agent-record";
import { newRecord } from "../store/collection";
import { pageAnswer, sandboxPages } from "./pages";
import type { ApiRequest, RouteFactory } from "./route";
import { refuseFields, validated } from "./validation";

const ENVIRONMENTS = ["LOCAL", "DEVELOPMENT", "STAGING", "PRODUCTION"];

/** docs/internals/platform.md, Agents. The emulator knows no users. */
const shown = ({
  tenant_id: _,
  updated_at: _at,
  id: uuid,
  agent_id: id,
  environments,
  ...agent
}: PlatformAgentRecord) => ({
  ...agent,
  id,
  agent_uuid: uuid,
  environments: environments.map((each) => ({
    ...each,
    agent_id: id,
    tracer_session_name: `${id}-${each.environment.toLowerCase()}`,
  })),
});

/** docs/internals/platform.md, Agents: keyed by the id that their program chooses. */
export const platformAgentRoutes: RouteFactory = ({ store, responses }) => {
  const all = platformAgents.in(store);
  const running = deployments.in(store);
  const find = ({ tenant, param }: ApiRequest): PlatformAgentRecord => {
    const [found] = all.having(tenant.tenantId, param("agent_id"));
    if (found === undefined) throw notFound(`Agent ${param("agent_id")}`);
    return found;
  };

  const create = ({ tenant: { tenantId }, now, json }: ApiRequest): Response => {
    const { id, production_only: isOne, ...body } = validated(createPlatformAgentBody, json(), "body");
    if (isOne && body.source_type !== "FLEET") throw badRequest("production_only is for FLEET agents alone");
    if (all.having(tenantId, id).length > 0) throw conflict(`Agent ${id} already exists`);
    const environments = (isOne ? ["PRODUCTION"] : ENVIRONMENTS).map((environment) => ({
      id: crypto.randomUUID(),
      environment,
      tracer_session_id: crypto.randomUUID(),
    }));
    const made = { name: id, ...body, owner_id: null, agent_id: id, environments, ...newRecord(tenantId, now) };
    return Response.json(shown(all.put(made)), { status: 201 });
  };
  const list = (request: ApiRequest): Response => {
    const { query, queryAll } = request;
    if (query("limit") !== undefined) throw badRequest("limit is no parameter: use page_size");
    const plain = (text: string): string => text.toLowerCase().replace(/[- ]/g, "");
    const [part, source, ids] = [plain(query("search") ?? ""), query("source_type"), queryAll("id")];
    const found = all
      .of(request.tenant.tenantId)
      .filter(({ agent_id: id, name }) => [id, name].some((each) => plain(each).includes(part)))
      .filter(({ source_type: type }) => source === undefined || type === source)
      .filter(({ agent_id: id }) => ids.length === 0 || ids.includes(id));
    return pageAnswer(request, responses, sandboxPages(), found, shown);
  };
  const read = (request: ApiRequest): Response => Response.json(shown(find(request)));
  const update = (request: ApiRequest): Response => {
    const json = request.json();
    refuseFields(json, ["id", "production_only"]);
    const old = find(request);
    const changed = validated(patchPlatformAgentBody, json, "body");
    if (old.source_type !== "EXTERNAL" && (changed.source_type ?? old.source_type) !== old.source_type) {
      throw invalid([
        { loc: ["body", "source_type"], msg: "Only an EXTERNAL agent can change it", type: "value_error" },
      ]);
    }
    return Response.json(shown(all.put({ ...old, ...changed, updated_at: timestamp(request.now) })));
  };
  const remove = (request: ApiRequest): Response => {
    const { id, agent_id: agentId, tenant_id: tenant } = find(request);
    if (running.of(tenant).some(({ agent }) => agent?.agent_id === agentId))
      throw conflict(`Agent ${agentId} has deployments`);
    all.remove(id);
    return new Response(null, { status: 204 });
  };

  const collection = "/v1/agents";
  const one = `${collection}/:agent_id`;
  return [
    { method: "POST", path: collection, contract: "extended", handle: create },
    { method: "GET", path: collection, contract: "extended", handle: list },
    { method: "GET", path: one, contract: "extended", handle: read },
    { method: "PATCH", path: one, contract: "extended", handle: update },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
  ];
};
