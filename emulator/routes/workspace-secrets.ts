import { z } from "zod";
import { wrong } from "../base/api-error";
import { timestamp } from "../base/clock";
import { newRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { sandboxPages, pageAnswer } from "./pages";
import type { ApiRequest, RouteFactory } from "./route";
import { queryBoolean, validated } from "./validation";

const config = z.object({
  host_pattern: z.string().regex(/^(\*\.)?[\w-]+(\.[\w-]+)*$/),
  header_name: z.string().min(1).nullish(),
  header_value_template: z
    .string()
    .regex(/\{value\}/)
    .nullish(),
});
const body = z.object({ value: z.string().min(1).nullish(), configs: z.array(config).nullish() });
const record = storedRecord.extend({ key: z.string(), value: z.string(), configs: z.array(config) });
export type WorkspaceSecretRecord = z.infer<typeof record>;

/** The shared secrets, with their values, which no answer shows. */
export const workspaceSecrets = defineCollection("workspace_secrets", record, ({ key }) => [key]);

const UNSET = { header_name: null, header_value_template: null };
const openai = {
  host_pattern: "api.openai.com",
  header_name: "Authorization",
  header_value_template: "Bearer {value}",
};
const anthropic = { ...UNSET, host_pattern: "api.anthropic.com", header_name: "x-api-key" };
/** Where the keys of some providers may go without a word of the user. */
const BUILT_IN = new Map([
  ["OPENAI_API_KEY", [{ ...openai, source: "DEFAULT" }]],
  ["ANTHROPIC_API_KEY", [{ ...anthropic, source: "DEFAULT" }]],
]);

function shown({ key, configs, id, updated_at: at }: WorkspaceSecretRecord) {
  const times = { created_at: at, updated_at: at };
  const own = configs.map((each, n) => ({ ...UNSET, ...each, id: `${id}-${n}`, source: "CUSTOM", ...times }));
  return { key, configs: own.length > 0 ? own : (BUILT_IN.get(key) ?? []) };
}

/** docs/internals/platform.md, Workspace secrets: keyed by key. */
export const workspaceSecretRoutes: RouteFactory = ({ store, responses }) => {
  const all = workspaceSecrets.in(store);
  const find = ({ tenant: { tenantId }, param }: ApiRequest) => all.having(tenantId, param("key")).at(0);

  const upsert = (request: ApiRequest): Response => {
    const { tenant, now, json, param } = request;
    const old = find(request);
    const given = validated(body, json());
    const value = given.value ?? old?.value;
    if (value === undefined) throw wrong(["body", "value"], "A new secret needs a value");
    const made = old ?? newRecord(tenant.tenantId, now);
    const whole = { ...made, key: param("key"), value, configs: given.configs ?? [], updated_at: timestamp(now) };
    return Response.json(shown(all.put(whole)));
  };
  const list = (request: ApiRequest): Response => {
    const { tenant, query } = request;
    const hasConfigs = queryBoolean(query("include_configs"), "include_configs") ?? false;
    const show = (each: WorkspaceSecretRecord) => (hasConfigs ? shown(each) : { key: each.key });
    const found = all.of(tenant.tenantId);
    const isPaged = (query("page_size") ?? query("cursor")) !== undefined && !responses.offsetsOnly;
    return isPaged ? pageAnswer(request, responses, sandboxPages(), found, show) : Response.json(found.map(show));
  };
  const remove = (request: ApiRequest): Response => {
    const found = find(request);
    if (found !== undefined) all.remove(found.id);
    return new Response(null, { status: 204 });
  };

  const collection = "/v1/workspaces/current/secrets";
  const one = `${collection}/:key`;
  return [
    { method: "GET", path: collection, contract: "extended", handle: list },
    { method: "PUT", path: one, contract: "extended", handle: upsert },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
  ];
};
