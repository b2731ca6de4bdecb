import { randomUUID } from "node:crypto";
import { ApiError, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { Tenant } from "../base/tenant";
import type { Collection } from "../store/collection";
import type { Store } from "../store/store";
import { unknownFields, withoutNulls, type CreateDeploymentBody, type PatchDeploymentBody } from "./deployment-body";
import { completeResourceSpec, deployments, type DeploymentRecord } from "./deployment-record";
import type { PlatformSettings } from "./options";
import type { RevisionOutcomes } from "./revision-outcomes";
import { isFinished, progressOf, revisions, type RevisionRecord } from "./revision-record";
import { threads, type ThreadRecord } from "./thread-record";

/** The state of a deployment at one moment, as its revisions decide it. */
export interface DeploymentStatus {
  readonly status: string;
  /** The revision whose configuration answers show. */
  readonly latest: RevisionRecord | undefined;
  /** null while no answer names the latest revision. */
  readonly latestRevisionId: string | null;
  /** The newest revision that is known to be DEPLOYED. */
  readonly active: RevisionRecord | undefined;
}

/** Deployments and their revisions, independent of HTTP. */
export class DeploymentService {
  private readonly deployments: Collection<DeploymentRecord>;
  private readonly revisions: Collection<RevisionRecord>;
  private readonly threads: Collection<ThreadRecord>;

  constructor(
    store: Store,
    private readonly settings: PlatformSettings,
    private readonly outcomes: RevisionOutcomes,
  ) {
    this.deployments = deployments.in(store);
    this.revisions = revisions.in(store);
    this.threads = threads.in(store);
  }

  list(tenantId: string, now: number): readonly DeploymentRecord[] {
    this.purgeDeleted(now);
    return this.deployments.of(tenantId);
  }

  /** The deployment; 404 once its deletion is over. */
  get(tenantId: string, id: string, now: number): DeploymentRecord {
    this.purgeDeleted(now);
    const found = this.deployments.get(tenantId, id);
    if (found === undefined) throw notFound(`Deployment ${id}`);
    return found;
  }

  status(deployment: DeploymentRecord, now: number): DeploymentStatus {
    const { lateRevision, staleActiveMs } = this.settings;
    const visible = this.revisionsOf(deployment, now);
    const all = this.revisions.having(deployment.tenant_id, deployment.id);
    const namesLatest = lateRevision.names === "the one before" || all.length === visible.length;
    const latest = visible.at(-1);
    return {
      status: deploymentStatus(deployment, visible, now),
      latest,
      latestRevisionId: namesLatest ? (latest?.id ?? null) : null,
      active: visible.filter((revision) => wasDeployedBy(revision, now - staleActiveMs, now)).at(-1),
    };
  }

  /** The visible revisions of a deployment, oldest first. */
  revisionsOf(deployment: DeploymentRecord, now: number): readonly RevisionRecord[] {
    return this.revisions
      .having(deployment.tenant_id, deployment.id)
      .filter((record) => Date.parse(record.visible_from) <= now);
  }

  /** The revision; 404 unless it is visible and no longer fresh. */
  revision(deployment: DeploymentRecord, id: string, now: number): RevisionRecord {
    const found = this.revisionsOf(deployment, now).find((record) => record.id === id);
    const isKnown = found !== undefined && now >= Date.parse(found.visible_from) + this.settings.freshRevision404Ms;
    if (!isKnown) throw notFound(`Revision ${id}`);
    return found;
  }

  create(tenant: Tenant, body: CreateDeploymentBody, now: number): DeploymentRecord {
    this.purgeDeleted(now);
    if (!this.settings.sameNames && this.deployments.having(tenant.tenantId, body.name).length > 0) {
      throw new ApiError(409, `A deployment named ${body.name} already exists`);
    }
    const { name, source, source_config, source_revision_config, secrets, secret_references, display_name } = body;
    const { resource_spec: sentSpec, ...sentConfig } = source_config;
    const config = withoutNulls(sentConfig);
    const at = timestamp(now);
    const record = this.deployments.put({
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
    this.addRevision(record, now, now + this.settings.nullLatestRevisionMs);
    return record;
  }

  /** docs/platform.md, PATCH of a deployment: what it keeps, replaces, ignores, and when it makes a revision. */
  update(old: DeploymentRecord, body: PatchDeploymentBody, now: number): DeploymentRecord {
    if (old.deleted_at !== null) throw new ApiError(409, `Deployment ${old.id} is being deleted`);
    const { resource_spec: sentSpec, ...sentConfig } = body.source_config ?? {};
    // An empty list is ignored by the platform: the last secret cannot be cleared.
    const sentSecrets = body.secrets !== null && body.secrets?.length === 0 ? undefined : body.secrets;
    const config = { ...old.source_config, ...withoutNulls(sentConfig) };
    const revisionConfig = body.source_revision_config;
    const record = this.deployments.put({
      ...old,
      source_config: config,
      // The whole object is overwritten, not merged.
      resource_spec: sentSpec ? completeResourceSpec(sentSpec, config["deployment_type"]) : old.resource_spec,
      // It is not known whether the platform merges. Overwriting tests a client more strictly.
      source_revision_config: revisionConfig ? withoutNulls(revisionConfig) : old.source_revision_config,
      secrets: sentSecrets ?? old.secrets,
      secret_references: body.secret_references ?? old.secret_references,
      display_name: body.display_name ?? old.display_name,
      extra: { ...old.extra, ...unknownFields(body) },
      updated_at: timestamp(now),
    });
    const visibleFrom = now + this.settings.lateRevision.ms;
    if (revisionConfig || sentSecrets || sentSpec) this.addRevision(record, now, visibleFrom);
    return record;
  }

  /** Begins the deletion; a second call changes nothing. */
  remove(record: DeploymentRecord, now: number): void {
    if (record.deleted_at !== null) return;
    const at = timestamp(now);
    this.deployments.put({ ...record, deleted_at: at, updated_at: at });
    this.purgeDeleted(now);
  }

  private addRevision(deployment: DeploymentRecord, now: number, visibleFrom: number): void {
    const at = timestamp(now);
    for (const older of this.revisions.having(deployment.tenant_id, deployment.id)) {
      if (older.superseded_at !== null) continue;
      if (isFinished(progressOf(older, now).status)) continue;
      this.revisions.put({ ...older, superseded_at: at });
    }
    const { name: deploymentName, id: deploymentId, source_revision_config: config } = deployment;
    const outcome = this.outcomes.decide({ deploymentId, deploymentName, sourceRevisionConfig: config });
    this.revisions.put({
      id: randomUUID(),
      tenant_id: deployment.tenant_id,
      deployment_id: deployment.id,
      source: deployment.source,
      source_revision_config: config,
      outcome,
      build_ms: this.settings.buildMs,
      superseded_at: null,
      visible_from: timestamp(visibleFrom),
      status_override: null,
      created_at: at,
      updated_at: at,
    });
  }

  /** Deletion takes time, but no timer runs: whatever is due goes with the next lookup. */
  private purgeDeleted(now: number): void {
    for (const record of this.deployments.all()) {
      if (record.deleted_at === null) continue;
      if (now < Date.parse(record.deleted_at) + this.settings.deleteMs) continue;
      this.deployments.remove(record.id);
      for (const collection of [this.revisions, this.threads]) {
        for (const { id } of collection.having(record.tenant_id, record.id)) collection.remove(id);
      }
    }
  }
}

/** DEPLOYED, and for long enough that answers know of it. */
function wasDeployedBy(revision: RevisionRecord, moment: number, now: number): boolean {
  const { status, since } = progressOf(revision, now);
  return status === "DEPLOYED" && since <= moment;
}

function deploymentStatus(record: DeploymentRecord, history: readonly RevisionRecord[], now: number): string {
  if (record.deleted_at !== null) return "AWAITING_DELETE";
  const started = history.some((revision) => {
    const { status } = progressOf(revision, now);
    return isFinished(status) || status === "BUILDING" || status === "DEPLOYING";
  });
  return started || history.length > 1 ? "READY" : "AWAITING_DATABASE";
}
