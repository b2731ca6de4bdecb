import { z } from "zod";
import { ApiError } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { StoreItemRecord } from "../platform/agent-records";
import { newRecord } from "../store/collection";
import { fields } from "../store/define-collection";
import { agentBody, contains, pageFields } from "./agent-body";
import { AGENT_PATH, agentLookups } from "./agent-lookups";
import type { ApiRequest, RouteFactory } from "./route";

const labels = z.array(z.string());
const place = z.object({ namespace: labels.default([]), key: z.string() });
const putBody = place.extend({ value: fields });
const searchBody = z.object({ namespace_prefix: labels.default([]), filter: fields.nullish(), ...pageFields });
const namespacesBody = z.object({
  prefix: labels.nullish(),
  suffix: labels.nullish(),
  max_depth: z.int().min(1).nullish(),
  ...pageFields,
  limit: pageFields.limit.default(100),
});

/** The long-term store of an agent, without a search by meaning. */
export const agentStoreRoutes: RouteFactory = (services) => {
  const { agentOf } = agentLookups(services);
  const { items } = services.platform;
  const all = (request: ApiRequest) => {
    const { tenantId, deploymentId } = agentOf(request);
    return items.having(tenantId, deploymentId);
  };
  const find = (request: ApiRequest, { namespace, key }: z.infer<typeof place>): StoreItemRecord | undefined =>
    all(request).find((each) => each.key === key && namespaceOf(each) === namespace.join("."));

  const put = (request: ApiRequest): Response => {
    const { tenantId, deploymentId } = agentOf(request);
    const { namespace, key, value } = agentBody(putBody, request.body);
    checkLabels(namespace);
    const old = find(request, { namespace, key }) ?? newRecord(tenantId, request.now);
    items.put({ ...old, deployment_id: deploymentId, namespace, key, value, updated_at: timestamp(request.now) });
    return new Response(null, { status: 204 });
  };
  const read = (request: ApiRequest): Response => {
    const namespace = request.query("namespace")?.split(".") ?? [];
    const found = find(request, { namespace, key: request.query("key") ?? "" });
    return Response.json(found === undefined ? null : shown(found));
  };
  const remove = (request: ApiRequest): Response => {
    const found = find(request, agentBody(place, request.body));
    if (found !== undefined) items.remove(found.id);
    return new Response(null, { status: 204 });
  };
  const search = (request: ApiRequest): Response => {
    const { namespace_prefix: prefix, filter, limit, offset } = agentBody(searchBody, request.body);
    const found = all(request).filter((each) => begins(each.namespace, prefix) && contains(each.value, filter ?? {}));
    return Response.json({
      items: found.slice(offset, offset + limit).map((each) => ({ ...shown(each), score: null })),
    });
  };
  const namespaces = (request: ApiRequest): Response => {
    const { prefix, suffix, max_depth: depth, limit, offset } = agentBody(namespacesBody, request.body);
    const found = all(request)
      .map(({ namespace }) => namespace)
      .filter((each) => begins(each, prefix ?? []) && begins(each.toReversed(), suffix?.toReversed() ?? []))
      .map((each) => each.slice(0, depth ?? undefined));
    const distinct = [...new Map(found.map((each) => [each.join("."), each])).values()];
    return Response.json({ namespaces: distinct.slice(offset, offset + limit) });
  };

  const item = `${AGENT_PATH}/store/items`;
  return [
    { method: "PUT", path: item, contract: "extended", handle: put },
    { method: "GET", path: item, contract: "extended", handle: read },
    { method: "DELETE", path: item, contract: "extended", handle: remove },
    { method: "POST", path: `${item}/search`, contract: "extended", handle: search },
    { method: "POST", path: `${AGENT_PATH}/store/namespaces`, contract: "extended", handle: namespaces },
  ];
};

const shown = ({ namespace, key, value, created_at, updated_at }: StoreItemRecord) => ({
  ...{ namespace, key, value, created_at, updated_at },
});
const namespaceOf = ({ namespace }: StoreItemRecord): string => namespace.join(".");
const begins = (all: readonly string[], first: readonly string[]): boolean =>
  first.every((label, index) => all[index] === label || label === "*");

function checkLabels(namespace: readonly string[]): void {
  const wrong = namespace.find((label) => label === "" || label.includes("."));
  if (wrong !== undefined)
    throw new ApiError(422, `Namespace label '${wrong}' must be a non-empty string without periods`);
}
