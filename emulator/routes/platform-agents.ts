import { z } from "zod";
import { badRequest, conflict, notFound, wrong } from "../base/api-error";
import { type PlatformAgentRecord, platformAgents } from "../platform/resource-records";
import { newRecord } from "../store/collection";
import { collectionRoutes } from "./collection-routes";
import { sandboxPages } from "./pages";
import type { RouteFactory } from "./route";
import { refuseFields, validated } from "./validation";

const changeable = {
  name: z.string().min(1).optional(),
  agent_type: z.enum(["CUSTOM", "CODING"]),
  source_type: z.enum(["LSD", "MDA", "EXTERNAL", "FLEET"]),
};
const createBody = z.object({
  id: z
    .string()
    .max(63)
    .refine((id) => /^[a-z]([a-z0-9-]*[a-z0-9])?$/.test(id), "is no id of an agent"),
  ...changeable,
  agent_type: changeable.agent_type.default("CUSTOM"),
  source_type: changeable.source_type.default("EXTERNAL"),
  production_only: z.boolean().default(false),
});
const patchBody = z.object({ ...changeable, owner_id: z.string().min(1).nullable() }).partial();
const ENVIRONMENTS = ["LOCAL", "DEVELOPMENT", "STAGING", "PRODUCTION"];
const KEYS = new Set("id search name source_type sort_by sort_order page_size cursor include include_count".split(" "));

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
export const platformAgentRoutes: RouteFactory = ({ store, platform, responses }) => {
  const all = platformAgents.in(store);
  return collectionRoutes({
    ...{ all, responses, pages: sandboxPages() },
    path: "/v1/agents/:agent_id",
    unknown: (key) => notFound(`Agent ${key}`),
    show: shown,
    create({ tenant: { tenantId }, now, json }) {
      const { id, production_only: isOne, ...body } = validated(createBody, json());
      if (isOne && body.source_type !== "FLEET") throw badRequest("production_only is for FLEET agents alone");
      if (all.having(tenantId, id).length > 0) throw conflict(`Agent ${id} already exists`);
      const environments = (isOne ? ["PRODUCTION"] : ENVIRONMENTS).map((environment) => ({
        id: crypto.randomUUID(),
        environment,
        tracer_session_id: crypto.randomUUID(),
      }));
      return { name: id, ...body, owner_id: null, agent_id: id, environments, ...newRecord(tenantId, now) };
    },
    list({ tenant, query, search }) {
      const other = [...search.keys()].find((name) => !KEYS.has(name));
      if (other !== undefined) throw badRequest(`${other} is no parameter`);
      const plain = (text: string): string => text.toLowerCase().replace(/[- ]/g, "");
      const [part, source, ids] = [query("search"), query("source_type"), search.getAll("id")];
      const byName = part === undefined ? (query("name") ?? "").toLowerCase() : "";
      return all
        .of(tenant.tenantId)
        .filter(({ agent_id: id, name }) => [id, name].some((each) => plain(each).includes(plain(part ?? ""))))
        .filter(({ name }) => name.toLowerCase().includes(byName))
        .filter(({ source_type: type }) => source === undefined || type === source)
        .filter(({ agent_id: id }) => ids.length === 0 || ids.includes(id));
    },
    update(request, find) {
      const json = request.json();
      refuseFields(json, ["id", "production_only"]);
      const old = find();
      const changed = validated(patchBody, json);
      if (old.source_type !== "EXTERNAL" && (changed.source_type ?? old.source_type) !== old.source_type)
        throw wrong(["body", "source_type"], "Only an EXTERNAL agent can change it");
      return { ...old, ...changed };
    },
    refuseRemoval({ agent_id: id, tenant_id: tenant }, now) {
      const running = platform.deployments.list(tenant, now);
      if (running.some(({ agent }) => agent?.agent_id === id)) throw conflict(`Agent ${id} has deployments`);
    },
  });
};
