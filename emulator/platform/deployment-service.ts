import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { threads, type ThreadRecord } from "./thread-record";
import { ApiError, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { Tenant } from "../options";
import type { Services } from "../routes/route";
import type { Collection } from "../store/store";
import {
  completeResourceSpec,
  deployments,
  withoutNulls,
  type createBody,
  type DeploymentRecord,
  type patchBody,
} from "./deployment-record";
import { isFinished, progressOf, revisions, type RevisionRecord } from "./revision-record";

/** What can be done with deployments and their revisions, apart from HTTP. */
export class DeploymentDesk {
  readonly #services: Services;
  readonly #deployments: Collection<DeploymentRecord>;
  readonly #revisions: Collection<RevisionRecord>;
  readonly #threads: Collection<ThreadRecord>;

  constructor(services: Services) {
    this.#services = services;
    this.#deployments = deployments.in(services.store);
    this.#revisions = revisions.in(services.store);
    this.#threads = threads.in(services.store);
  }

  list(tenantId: string, now: number): readonly DeploymentRecord[] {
    this.#forgetDeleted(now);
    return this.#deployments.of(tenantId);
  }

  /** The deployment; 404 once its deletion is over. */
  get(tenantId: string, id: string, now: number): DeploymentRecord {
    this.#forgetDeleted(now);
    const found = this.#deployments.get(tenantId, id);
    if (found === undefined) throw notFound(`Deployment ${id}`);
    return found;
  }

  /** The visible revisions of a deployment, oldest first. */
  revisionsOf(deployment: DeploymentRecord, now: number): readonly RevisionRecord[] {
    return this.#revisions
      .having(deployment.tenant_id, deployment.id)
      .filter((record) => Date.parse(record.visible_from) <= now);
  }

  /** Whether there is a revision that no answer names yet. */
  hidesOne(deployment: DeploymentRecord, now: number): boolean {
    const all = this.#revisions.having(deployment.tenant_id, deployment.id);
    return all.length > this.revisionsOf(deployment, now).length;
  }

  create(tenant: Tenant, body: z.infer<typeof createBody>, now: number): DeploymentRecord {
    this.#forgetDeleted(now);
    if (!this.#services.settings.sameNames && this.#deployments.having(tenant.tenantId, body.name).length > 0) {
      throw new ApiError(409, `A deployment named ${body.name} already exists`);
    }
    const { name, source, source_config, source_revision_config, secrets, secret_references, display_name } = body;
    const { resource_spec: sentSpec, ...sentConfig } = source_config;
    const config = withoutNulls(sentConfig);
    const at = timestamp(now);
    const record = this.#deployments.put({
      id: randomUUID(),
      tenant_id: tenant.tenantId,
      name,
      source,
      source_config: config,
      resource_spec: completeResourceSpec(sentSpec, config["deployment_type"]),
      source_revision_config: withoutNulls(source_revision_config),
      secrets: secrets ?? [],
      secret_references: secret_references ?? null,
      display_name: display_name ?? null,
      extra: unknownFields(body),
      deleted_at: null,
      created_at: at,
      updated_at: at,
    });
    this.#addRevision(record, now, now + this.#services.settings.nullLatestRevisionMs);
    return record;
  }

  /** docs/platform.md, PATCH of a deployment: what it keeps, replaces, ignores, and when it makes a revision. */
  update(old: DeploymentRecord, body: z.infer<typeof patchBody>, now: number): DeploymentRecord {
    if (old.deleted_at !== null) throw new ApiError(409, `Deployment ${old.id} is being deleted`);
    const { resource_spec: sentSpec, ...sentConfig } = body.source_config ?? {};
    // An empty list is ignored by the platform: the last secret cannot be cleared.
    const sentSecrets = body.secrets !== null && body.secrets?.length === 0 ? undefined : body.secrets;
    const config = { ...old.source_config, ...withoutNulls(sentConfig) };
    const revisionConfig = body.source_revision_config;
    const record = this.#deployments.put({
      ...old,
      source_config: config,
      // The whole object is overwritten, not merged.
      resource_spec: sentSpec ? completeResourceSpec(sentSpec, config["deployment_type"]) : old.resource_spec,
      // Whether the platform merges is not known. Overwriting is the stricter test of a client.
      source_revision_config: revisionConfig ? withoutNulls(revisionConfig) : old.source_revision_config,
      secrets: sentSecrets ?? old.secrets,
      secret_references: body.secret_references ?? old.secret_references,
      display_name: body.display_name ?? old.display_name,
      extra: { ...old.extra, ...unknownFields(body) },
      updated_at: timestamp(now),
    });
    const visibleFrom = now + this.#services.settings.lateRevision.ms;
    if (revisionConfig || sentSecrets || sentSpec) this.#addRevision(record, now, visibleFrom);
    return record;
  }

  /** Begins the deletion; asking again changes nothing. */
  remove(record: DeploymentRecord, now: number): void {
    if (record.deleted_at !== null) return;
    const at = timestamp(now);
    this.#deployments.put({ ...record, deleted_at: at, updated_at: at });
    this.#forgetDeleted(now);
  }

  #addRevision(deployment: DeploymentRecord, now: number, visibleFrom: number): void {
    const at = timestamp(now);
    for (const older of this.#revisions.having(deployment.tenant_id, deployment.id)) {
      if (older.superseded_at !== null) continue;
      if (isFinished(progressOf(older, now).status)) continue;
      this.#revisions.put({ ...older, superseded_at: at });
    }
    const { name: deploymentName, id: deploymentId, source_revision_config: config } = deployment;
    const outcome = this.#services.outcomes.decide({ deploymentId, deploymentName, sourceRevisionConfig: config });
    this.#revisions.put({
      id: randomUUID(),
      tenant_id: deployment.tenant_id,
      deployment_id: deployment.id,
      source: deployment.source,
      source_revision_config: config,
      outcome,
      build_ms: this.#services.settings.buildMs,
      superseded_at: null,
      visible_from: timestamp(visibleFrom),
      status_override: null,
      created_at: at,
      updated_at: at,
    });
  }

  /** Deletion takes time, and nobody waits for it: what is due goes when somebody looks. */
  #forgetDeleted(now: number): void {
    for (const record of this.#deployments.all()) {
      if (record.deleted_at === null) continue;
      if (now < Date.parse(record.deleted_at) + this.#services.settings.deleteMs) continue;
      this.#deployments.remove(record.id);
      for (const collection of [this.#revisions, this.#threads]) {
        for (const { id } of collection.having(record.tenant_id, record.id)) collection.remove(id);
      }
    }
  }
}

const knownFields = new Set([
  "name",
  "source",
  "source_config",
  "source_revision_config",
  "secrets",
  "secret_references",
  "display_name",
]);

function unknownFields(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(withoutNulls(body)).filter(([name]) => !knownFields.has(name)));
}
