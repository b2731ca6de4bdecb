import { z } from "zod";
import { ApiError, badRequest, conflict, notFound } from "../base/api-error";
import { createSandboxTemplateBody } from "../platform/resource-bodies";
import { sandboxTemplates, type SandboxTemplateRecord } from "../platform/resource-records";
import { newRecord } from "../store/collection";
import { collectionRoutes } from "./collection-routes";
import { TEMPLATE_PAGES } from "./pages";
import type { RouteFactory } from "./route";
import { validated } from "./validation";

/** docs/internals/platform.md, Sandbox templates: a PATCH renames, and changes nothing else. */
const patchBody = z.object({ name: createSandboxTemplateBody.shape.name });
const FIXED_FIELDS = ["image", "resources", "volume_mounts", "proxy_config"];

/** The semantic checks: well-formed requests that are answered with BadRequest. */
function refuseMeaningless(body: z.infer<typeof createSandboxTemplateBody>): void {
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

/** docs/internals/platform.md, SandboxTemplate: DNS-1035. */
function refuseName(name: string): void {
  if (/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name)) return;
  throw badRequest(
    "name must be a DNS-1035 label: lowercase alphanumerics and hyphens, starting with a letter and ending with an alphanumeric",
  );
}

/** docs/internals/platform.md, SandboxTemplate: as it is answered. */
function responseBody(record: SandboxTemplateRecord, numericCpu: boolean): Record<string, unknown> {
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

/** docs/internals/platform.md, Sandbox templates: keyed by name. */
export const sandboxTemplateRoutes: RouteFactory = ({ store, platform, responses }) => {
  const { sandboxQuota, oldTemplateRows } = platform.settings;
  const all = sandboxTemplates.in(store);
  const refuseTaken = (tenantId: string, name: string): void => {
    if (all.having(tenantId, name).length > 0) throw conflict(`SandboxTemplate ${name} already exists`);
  };
  return collectionRoutes({
    ...{ all, responses, pages: TEMPLATE_PAGES },
    path: "/v2/sandboxes/templates/:name",
    unknown: (key) => notFound(`SandboxTemplate ${key}`),
    documented: ["create", "list"],
    show: (record) => responseBody(record, responses.numericCpu),
    create({ tenant: { tenantId }, now, json }) {
      const body = validated(createSandboxTemplateBody, json());
      refuseMeaningless(body);
      refuseTaken(tenantId, body.name);
      if (all.of(tenantId).length >= sandboxQuota) {
        const message = `The quota of ${sandboxQuota} sandbox templates is used up`;
        throw new ApiError(429, { error: "QuotaExceeded", message });
      }
      return { ...body, in_use: false, is_old_row: oldTemplateRows, ...newRecord(tenantId, now) };
    },
    update({ json }, find) {
      const { name } = validated(patchBody, json(), FIXED_FIELDS);
      const old = find();
      refuseName(name);
      if (name !== old.name) refuseTaken(old.tenant_id, name);
      return { ...old, name };
    },
    refuseRemoval({ name, in_use: isUsed }) {
      if (isUsed) throw conflict(`SandboxTemplate ${name} is in use`);
    },
  });
};
