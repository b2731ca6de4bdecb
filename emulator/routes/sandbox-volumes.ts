import { z } from "zod";
import { conflict, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import { defaulting } from "../platform/nulls";
import { newRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { pageAnswer, sandboxPages } from "./pages";
import type { ApiRequest, RouteFactory } from "./route";
import { validated } from "./validation";

const GIB = 1024 ** 3;

const changeable = {
  description: defaulting(z.string(), ""),
  labels: defaulting(z.record(z.string(), z.string()), {}),
};
const cloneBody = z.object({ name: z.string().min(1), ...changeable });
const createBody = cloneBody.extend({ size_bytes: z.int().min(1) });
const record = storedRecord.extend({
  ...{ name: z.string(), size_bytes: z.number(), description: z.string(), labels: z.record(z.string(), z.string()) },
  ...{ source_volume_id: z.string().nullable(), status: z.string(), status_message: z.string().nullable() },
  /** Set out of band: the emulator has no sandboxes. */
  attachments: z.array(
    z.object({ sandbox_id: z.string(), sandbox_name: z.string(), mount_path: z.string(), read_only: z.boolean() }),
  ),
});
export type SandboxVolumeRecord = z.infer<typeof record>;

/** The volumes; out of band they are found by name too, as in a path. */
export const sandboxVolumes = defineCollection("sandbox_volumes", record, ({ name }) => [name]);

const shown = ({ tenant_id: _tenant, ...rest }: SandboxVolumeRecord) => rest;

/** docs/internals/platform.md, Sandbox volumes: keyed by id or name. */
export const sandboxVolumeRoutes: RouteFactory = ({ store, responses }) => {
  const all = sandboxVolumes.in(store);
  const find = ({ tenant: { tenantId }, param }: ApiRequest): SandboxVolumeRecord => {
    const found = all.get(tenantId, param("id")) ?? all.having(tenantId, param("id"))[0];
    if (found === undefined) throw notFound(`SandboxVolume ${param("id")}`);
    return found;
  };
  const made = (
    { tenant: { tenantId }, now }: ApiRequest,
    given: z.infer<typeof createBody>,
    source: string | null,
  ): Response => {
    if (all.having(tenantId, given.name).length > 0) throw conflict(`SandboxVolume ${given.name} already exists`);
    const begun = { source_volume_id: source, status: "ready", status_message: null, attachments: [] };
    const size = { size_bytes: Math.ceil(given.size_bytes / GIB) * GIB };
    return Response.json(shown(all.put({ ...given, ...size, ...begun, ...newRecord(tenantId, now) })), { status: 201 });
  };

  const create = (request: ApiRequest): Response => made(request, validated(createBody, request.json(), "body"), null);
  const clone = (request: ApiRequest): Response => {
    const { id, size_bytes } = find(request);
    return made(request, { ...validated(cloneBody, request.json(), "body"), size_bytes }, id);
  };
  const list = (request: ApiRequest): Response => {
    const part = request.query("name_contains") ?? "";
    const found = all.of(request.tenant.tenantId).filter(({ name }) => name.includes(part));
    return pageAnswer(request, responses, sandboxPages(), found, shown);
  };
  const read = (request: ApiRequest): Response => Response.json(shown(find(request)));
  const update = (request: ApiRequest): Response => {
    const old = find(request);
    const changed = validated(z.object(changeable).partial(), request.json(), "body");
    return Response.json(shown(all.put({ ...old, ...changed, updated_at: timestamp(request.now) })));
  };
  const remove = (request: ApiRequest): Response => {
    const { id, name, attachments } = find(request);
    if (attachments.length > 0) throw conflict(`SandboxVolume ${name} is attached to a sandbox`);
    all.remove(id);
    return new Response(null, { status: 204 });
  };

  const collection = "/v2/sandboxes/volumes";
  const one = `${collection}/:id`;
  return [
    { method: "POST", path: collection, contract: "extended", handle: create },
    { method: "GET", path: collection, contract: "extended", handle: list },
    { method: "GET", path: one, contract: "extended", handle: read },
    { method: "PATCH", path: one, contract: "extended", handle: update },
    { method: "DELETE", path: one, contract: "extended", handle: remove },
    { method: "POST", path: `${one}/clone`, contract: "extended", handle: clone },
  ];
};
