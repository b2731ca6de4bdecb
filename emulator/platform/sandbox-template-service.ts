import { badRequest, conflict, notFound, quotaExceeded } from "../base/api-error";
import { timestamp } from "../base/clock";
import { type Collection, newRecord } from "../store/collection";
import type { Store } from "../store/store";
import type { EmulatedSettings } from "./options";
import type { CreateSandboxTemplateBody } from "./sandbox-template-body";
import { sandboxTemplates, type SandboxTemplateRecord } from "./sandbox-template-record";

/** Sandbox templates by their name, independent of HTTP. */
export class SandboxTemplateService {
  private readonly templates: Collection<SandboxTemplateRecord>;

  constructor(
    store: Store,
    private readonly settings: EmulatedSettings,
  ) {
    this.templates = sandboxTemplates.in(store);
  }

  list(tenantId: string): readonly SandboxTemplateRecord[] {
    return this.templates.of(tenantId);
  }

  /** The template, or 404. */
  get(tenantId: string, name: string): SandboxTemplateRecord {
    const [found] = this.templates.having(tenantId, name);
    if (found === undefined) throw notFound(`SandboxTemplate ${name}`);
    return found;
  }

  create(tenantId: string, body: CreateSandboxTemplateBody, now: number): SandboxTemplateRecord {
    refuseMeaningless(body);
    this.refuseTakenName(tenantId, body.name);
    const { sandboxQuota } = this.settings;
    if (this.templates.of(tenantId).length >= sandboxQuota) {
      throw quotaExceeded(`The quota of ${sandboxQuota} sandbox templates is used up`);
    }
    const row = { in_use: false, is_old_row: this.settings.oldTemplateRows };
    return this.templates.put({ ...body, ...row, ...newRecord(tenantId, now) });
  }

  rename(old: SandboxTemplateRecord, name: string, now: number): SandboxTemplateRecord {
    refuseName(name);
    if (name !== old.name) this.refuseTakenName(old.tenant_id, name);
    return this.templates.put({ ...old, name, updated_at: timestamp(now) });
  }

  /** Changes what no client can change, by the rules of a create: for a change behind the API's back. */
  overwrite(old: SandboxTemplateRecord, body: CreateSandboxTemplateBody, now: number): SandboxTemplateRecord {
    refuseMeaningless(body);
    if (body.name !== old.name) this.refuseTakenName(old.tenant_id, body.name);
    return this.templates.put({ ...old, ...body, updated_at: timestamp(now) });
  }

  /** Conflict while a sandbox runs from it. */
  remove(record: SandboxTemplateRecord): void {
    if (record.in_use) throw conflict(`SandboxTemplate ${record.name} is in use`);
    this.templates.remove(record.id);
  }

  private refuseTakenName(tenantId: string, name: string): void {
    if (this.templates.having(tenantId, name).length === 0) return;
    throw conflict(`SandboxTemplate ${name} already exists`);
  }
}

/** The semantic checks: well-formed requests that are answered with BadRequest. */
function refuseMeaningless(body: CreateSandboxTemplateBody): void {
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
