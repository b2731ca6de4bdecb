import { z } from "zod";
import { conflict, notFound } from "../base/api-error";
import { defaulting } from "../platform/nulls";
import { markedOutcome } from "../platform/revision-outcomes";
import { newRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { collectionRoutes } from "./collection-routes";
import { sandboxPages } from "./pages";
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
  build_ms: z.number().default(0),
});
export type SandboxVolumeRecord = z.infer<typeof record>;

/** The volumes; out of band they are found by name too, as in a path. */
export const sandboxVolumes = defineCollection("sandbox_volumes", record, ({ name }) => [name]);

/** As it is answered. One that is provisioning becomes ready by the clock, or what the marker in its name says (docs/emulator.md). */
function responseBody(volume: SandboxVolumeRecord, now: number): Record<string, unknown> {
  const { tenant_id: _tenant, build_ms: buildMs, ...shown } = volume;
  const outcome = markedOutcome({ image_uri: shown.name });
  if (shown.status !== "provisioning" || outcome === "STUCK" || now < Date.parse(shown.created_at) + buildMs)
    return shown;
  return outcome === "DEPLOYED"
    ? { ...shown, status: "ready" }
    : { ...shown, status: "failed", status_message: "The volume could not be made" };
}

/** docs/internals/platform.md, Sandbox volumes: keyed by id or name. */
export const sandboxVolumeRoutes: RouteFactory = ({ store, platform, responses }) => {
  const all = sandboxVolumes.in(store);
  const made = (
    { tenant: { tenantId }, now }: ApiRequest,
    given: z.infer<typeof createBody>,
    source: string | null,
  ): SandboxVolumeRecord => {
    if (all.having(tenantId, given.name).length > 0) throw conflict(`SandboxVolume ${given.name} already exists`);
    const begun = { source_volume_id: source, status: "provisioning", status_message: null, attachments: [] };
    const size = { size_bytes: Math.ceil(given.size_bytes / GIB) * GIB };
    return { ...given, ...size, ...begun, build_ms: platform.settings.buildMs, ...newRecord(tenantId, now) };
  };
  return collectionRoutes({
    ...{ all, responses, pages: sandboxPages() },
    path: "/v2/sandboxes/volumes/:id",
    unknown: (key) => notFound(`SandboxVolume ${key}`),
    find: ({ tenant: { tenantId } }, key) => all.get(tenantId, key) ?? all.having(tenantId, key).at(0),
    show: responseBody,
    list: ({ tenant, query }) =>
      all.of(tenant.tenantId).filter(({ name }) => name.includes(query("name_contains") ?? "")),
    create: (request) => made(request, validated(createBody, request.json()), null),
    update({ json }, find) {
      const old = find();
      return { ...old, ...validated(z.object(changeable).partial(), json()) };
    },
    refuseRemoval({ name, attachments }) {
      if (attachments.length > 0) throw conflict(`SandboxVolume ${name} is attached to a sandbox`);
    },
    actions: {
      clone(request, find) {
        const { id, size_bytes } = find();
        return made(request, { ...validated(cloneBody, request.json()), size_bytes }, id);
      },
    },
  });
};
