import type { Call, Noun, Services } from "./route";
import { queryInt, refuseFields, validated } from "./validation";
import { DeploymentDesk } from "../platform/deployment-service";
import {
  createBody,
  fixedFields,
  fixedSourceConfigFields,
  patchBody,
  type DeploymentRecord,
} from "../platform/deployment-record";
import { isFinished, progressOf, revisionConfigAnswer, type RevisionRecord } from "../platform/revision-record";

/** A deployment as the platform answers it (docs/platform.md, Answers of a deployment), and `url`, where its agent answers. */
function answer(
  services: Services,
  record: DeploymentRecord,
  history: readonly RevisionRecord[],
  now: number,
  namesLatest: boolean,
): Record<string, unknown> {
  const { echoSecretValues, hideCommands, staleActiveMs } = services.settings;
  const latest = history.at(-1);
  const active = history.filter((revision) => servedAt(revision, now, staleActiveMs)).at(-1);
  const hidden = new Set(["listener_config", ...(hideCommands ? ["install_command", "build_command"] : [])]);
  const config = Object.fromEntries(Object.entries(record.source_config).filter(([name]) => !hidden.has(name)));
  return {
    // First, so that nothing unknown can cover what the server says.
    ...record.extra,
    id: record.id,
    tenant_id: record.tenant_id,
    name: record.name,
    display_name: record.display_name,
    source: record.source,
    source_config: { ...config, resource_spec: record.resource_spec },
    source_revision_config: latest ? revisionConfigAnswer(latest) : record.source_revision_config,
    secrets: record.secrets.map(({ name, value }) => (echoSecretValues ? { name, value } : { name })),
    secret_references: record.secret_references,
    created_at: record.created_at,
    updated_at: record.updated_at,
    status: statusOf(record, history, now),
    latest_revision_id: namesLatest ? (latest?.id ?? null) : null,
    active_revision_id: active?.id ?? null,
    image_version: null,
    url: active ? `${services.publicUrl()}/agents/${record.id}` : null,
  };
}

/** DEPLOYED, and for long enough that answers know of it. */
function servedAt(revision: RevisionRecord, now: number, staleMs: number): boolean {
  const { status, since } = progressOf(revision, now);
  return status === "DEPLOYED" && since + staleMs <= now;
}

function statusOf(record: DeploymentRecord, history: readonly RevisionRecord[], now: number): string {
  if (record.deleted_at !== null) return "AWAITING_DELETE";
  const started = history.some((revision) => {
    const { status } = progressOf(revision, now);
    return isFinished(status) || status === "BUILDING" || status === "DEPLOYING";
  });
  return started || history.length > 1 ? "READY" : "AWAITING_DATABASE";
}

/** docs/platform.md, Deployments. */
export const deploymentRoutes: Noun = (services) => {
  const desk = new DeploymentDesk(services);
  const { lateRevision, pageSize } = services.settings;
  const namesLatest = (record: DeploymentRecord, now: number) =>
    lateRevision.names === "the one before" || !desk.hidesOne(record, now);
  const show = (record: DeploymentRecord, call: Call) =>
    answer(services, record, desk.revisionsOf(record, call.now), call.now, namesLatest(record, call.now));
  const named = (call: Call) => desk.get(call.tenant.tenantId, call.param("deployment_id"), call.now);

  const list = (call: Call): Response => {
    const limit = queryInt(call.query("limit"), "limit", 1, 100, 20);
    const offset = queryInt(call.query("offset"), "offset", 0, Number.MAX_SAFE_INTEGER, 0);
    const part = call.query("name_contains") ?? "";
    const all = desk.list(call.tenant.tenantId, call.now).filter((record) => record.name.includes(part));
    const page = all.slice(offset, offset + Math.min(limit, pageSize));
    return Response.json({ resources: page.map((record) => show(record, call)), offset: offset + page.length });
  };
  const create = (call: Call): Response => {
    const body = validated(createBody, call.json(), "body");
    return Response.json(show(desk.create(call.tenant, body, call.now), call), { status: 201 });
  };
  const update = (call: Call): Response => {
    const json = call.json();
    refuseFields(json, fixedFields);
    const body = validated(patchBody, json, "body");
    refuseFields(body.source_config, fixedSourceConfigFields, ["source_config"]);
    return Response.json(show(desk.update(named(call), body, call.now), call));
  };
  const remove = (call: Call): Response => {
    desk.remove(named(call), call.now);
    return new Response(null, { status: 204 });
  };

  const all = "/v2/deployments";
  const one = `${all}/:deployment_id`;
  return [
    { method: "POST", path: all, contract: "documented", handle: create },
    { method: "GET", path: all, contract: "extended", handle: list },
    { method: "GET", path: one, contract: "documented", handle: (call) => Response.json(show(named(call), call)) },
    { method: "PATCH", path: one, contract: "documented", handle: update },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
  ];
};
