import { randomUUID } from "node:crypto";
import { z } from "zod";
import { badRequest, conflict, notFound, quotaExceeded } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { Settings } from "../options";
import type { Call, Noun } from "./route";
import { defineCollection, storedRecord, type Collection } from "../store/store";
import { queryInt, refuseFields, validated } from "./validation";

/** docs/platform.md, ResourceSpec. Defaults as the official client sends them. */
const resources = z.object({
  cpu: z.string().default("500m"),
  memory: z.string().default("512Mi"),
  storage: z.string().optional(),
});
const volumeMount = z.object({ volume_name: z.string().min(1), mount_path: z.string() });
const proxyRule = z.object({
  name: z.string(),
  match_hosts: z.array(z.string()),
  inject_headers: z.record(z.string(), z.string()).default({}),
  match_paths: z.array(z.string()).default([]),
  enabled: z.boolean().default(true),
});
const proxyConfig = z.object({ rules: z.array(proxyRule).default([]), no_proxy: z.array(z.string()).default([]) });

const recordSchema = storedRecord.extend({
  name: z.string(),
  image: z.string(),
  resources,
  volume_mounts: z.array(volumeMount),
  proxy_config: proxyConfig.nullable(),
  /** A sandbox runs from it: DELETE answers Conflict. Set out of band. */
  in_use: z.boolean(),
  /** From an older version of the platform: answers have no id and no times. Set out of band, or by `oldTemplateRows`. */
  is_old_row: z.boolean().default(false),
});

/** A sandbox template as stored. */
export type SandboxTemplateRecord = z.infer<typeof recordSchema>;

/** The sandbox templates; out of band they are found by name too. */
export const sandboxTemplates = defineCollection("sandbox_templates", recordSchema, (record) => [record.name]);

const templateName = z.string().max(63);
const createBody = z.object({
  name: templateName,
  image: z.string().min(1),
  resources,
  volume_mounts: z
    .array(volumeMount)
    .nullish()
    .transform((mounts) => mounts ?? []),
  proxy_config: proxyConfig.nullish().transform((config) => config ?? null),
});
const patchBody = z.object({ name: templateName });
const fixedFields = ["image", "resources", "volume_mounts", "proxy_config"];

/** docs/platform.md, SandboxTemplate: as it is answered. */
function answer(record: SandboxTemplateRecord, { numericCpu }: Settings): Record<string, unknown> {
  const { is_old_row: isOld, resources } = record;
  return {
    id: isOld ? null : record.id,
    name: record.name,
    image: record.image,
    resources: numericCpu && /^\d+$/.test(resources.cpu) ? { ...resources, cpu: Number(resources.cpu) } : resources,
    volume_mounts: record.volume_mounts,
    proxy_config: record.proxy_config,
    created_at: isOld ? null : record.created_at,
    updated_at: isOld ? null : record.updated_at,
  };
}

type Templates = Collection<SandboxTemplateRecord>;

/** The checks for meaning: well-formed requests that answer BadRequest. */
function refuseMeaningless(body: z.infer<typeof createBody>): void {
  refuseName(body.name);
  for (const [field, quantity] of Object.entries(body.resources)) {
    if (!/^\d+(\.\d+)?(m|k|[MGTPE]|[KMGTPE]i)?$/.test(quantity)) {
      throw badRequest(`resources.${field} is not a quantity`);
    }
  }
  const paths = body.volume_mounts.map((mount) => mount.mount_path);
  if (paths.some((path) => !path.startsWith("/"))) throw badRequest("mount_path must be an absolute path");
  if (new Set(paths).size < paths.length) throw badRequest("mount_path must be unique within a template");
}

/** docs/platform.md, SandboxTemplate: DNS-1035. */
function refuseName(name: string): void {
  if (/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name)) return;
  throw badRequest(
    "name must be a DNS-1035 label: lowercase alphanumerics and hyphens, starting with a letter and ending with an alphanumeric",
  );
}

function refuseTakenName(templates: Templates, call: Call, name: string): void {
  if (templates.having(call.tenant.tenantId, name).length === 0) return;
  throw conflict(`SandboxTemplate ${name} already exists`);
}

function named(templates: Templates, call: Call): SandboxTemplateRecord {
  const name = call.param("name");
  const [found] = templates.having(call.tenant.tenantId, name);
  if (found === undefined) throw notFound(`SandboxTemplate ${name}`);
  return found;
}

function refuseBeyondQuota(templates: Templates, call: Call, quota: number): void {
  if (templates.countOf(call.tenant.tenantId) < quota) return;
  throw quotaExceeded(`The quota of ${quota} sandbox templates is used up`);
}

function create(templates: Templates, call: Call, settings: Settings): Response {
  const body = validated(createBody, call.json(), "body");
  refuseMeaningless(body);
  refuseTakenName(templates, call, body.name);
  refuseBeyondQuota(templates, call, settings.sandboxQuota);
  const at = timestamp(call.now);
  const id = randomUUID();
  const { tenantId } = call.tenant;
  const made = { id, tenant_id: tenantId, created_at: at, updated_at: at };
  const record = templates.put({ ...body, ...made, in_use: false, is_old_row: settings.oldTemplateRows });
  return Response.json(answer(record, settings), { status: 201 });
}

function list(templates: Templates, call: Call, settings: Settings): Response {
  // The default of limit is not shown; 50 makes a client that never pages miss something.
  const limit = queryInt(call.query("limit"), "limit", 1, 500, 50);
  const offset = queryInt(call.query("offset"), "offset", 0, Number.MAX_SAFE_INTEGER, 0);
  const page = templates.page(call.tenant.tenantId, offset, Math.min(limit, settings.pageSize));
  return Response.json({ templates: page.map((each) => answer(each, settings)), offset: offset + page.length });
}

function rename(templates: Templates, call: Call, settings: Settings): Response {
  const json = call.json();
  refuseFields(json, fixedFields);
  const { name } = validated(patchBody, json, "body");
  const old = named(templates, call);
  refuseName(name);
  if (name !== old.name) refuseTakenName(templates, call, name);
  return Response.json(answer(templates.put({ ...old, name, updated_at: timestamp(call.now) }), settings));
}

function remove(templates: Templates, call: Call): Response {
  const record = named(templates, call);
  if (record.in_use) throw conflict(`SandboxTemplate ${record.name} is in use`);
  templates.remove(record.id);
  return new Response(null, { status: 204 });
}

/** docs/platform.md, Sandbox templates: keyed by name. */
export const sandboxTemplateRoutes: Noun = ({ store, settings }) => {
  const templates = sandboxTemplates.in(store);
  const all = "/v2/sandboxes/templates";
  const one = `${all}/:name`;
  return [
    { method: "POST", path: all, contract: "documented", handle: (call) => create(templates, call, settings) },
    { method: "GET", path: all, contract: "documented", handle: (call) => list(templates, call, settings) },
    {
      method: "GET",
      path: one,
      contract: "extended",
      handle: (call) => Response.json(answer(named(templates, call), settings)),
    },
    { method: "PATCH", path: one, contract: "extended", handle: (call) => rename(templates, call, settings) },
    { method: "DELETE", path: one, contract: "extended", handle: (call) => remove(templates, call) },
  ];
};
