import { ApiError, notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { Tenant } from "../base/exchange";
import { type Collection, newRecord, type StoredRecord } from "../store/collection";
import type { Store } from "../store/store";
import { agentAssistants, agentCrons, agentItems, threads } from "./agent-records";
import { isBranch, type Branch } from "./branches";
import {
  unknownFields,
  type CreateDeploymentBody,
  type CreateRevisionBody,
  type PatchDeploymentBody,
} from "./deployment-body";
import { deployments, type DeploymentRecord } from "./deployment-record";
import { withoutNulls } from "./nulls";
import type { EmulatedSettings } from "./options";
import { listeners, platformAgents, uploads } from "./resource-records";
import { completeResourceSpec } from "./resource-spec";
import { isFinished, progressOf, type RevisionRecord } from "./revision-record";
import type { RevisionService } from "./revision-service";
import { checkChange, checkCreate } from "./source-rules";
import { isUploaded } from "./source-table";

/** Deployments, independent of HTTP. */
export class DeploymentService {
  private readonly deployments: Collection<DeploymentRecord>;
  /** What agents keep. */
  private readonly kept: readonly Pick<Collection<StoredRecord>, "having" | "remove">[];

  constructor(
    private readonly store: Store,
    private readonly settings: EmulatedSettings,
    private readonly revisions: RevisionService,
    private readonly forget: (id: string) => void,
  ) {
    this.deployments = deployments.in(store);
    this.kept = [threads, agentAssistants, agentCrons, agentItems].map((each) => each.in(store));
  }

  list(tenantId: string, now: number): readonly DeploymentRecord[] {
    this.purgeDeleted(now);
    return this.deployments.of(tenantId);
  }

  /** The deployment; 404 once its deletion is over. */
  get(tenantId: string, id: string, now: number): DeploymentRecord {
    this.purgeDeleted(now);
    const found = this.deployments.get(tenantId, id);
    if (found === undefined) throw new ApiError(404, `Deployment ID ${id} not found.`);
    return found;
  }

  /** The deployments of a name, of all tenants. */
  named(name: string): readonly DeploymentRecord[] {
    return this.deployments.all().filter((record) => record.name === name);
  }

  nameOf(tenantId: string, id: string): string | undefined {
    return this.deployments.get(tenantId, id)?.name;
  }

  /** The state of a deployment at one moment, as its revisions decide it. */
  status(deployment: DeploymentRecord, now: number) {
    const { lateRevision, staleActiveMs } = this.settings;
    const visible = this.revisions.of(deployment, now);
    const namesLatest =
      lateRevision.names === "the one before" || this.revisions.all(deployment).length === visible.length;
    const latest = visible.at(-1);
    return {
      status: deploymentStatus(deployment, visible, now),
      /** The revision whose configuration answers show. */
      latest,
      /** null while no answer names the latest revision. */
      latestRevisionId: namesLatest ? (latest?.id ?? null) : null,
      /** The newest revision that is known to be DEPLOYED. */
      active: visible.findLast((revision) => {
        const progress = progressOf(revision, now);
        return progress.status === "DEPLOYED" && progress.since <= now - staleActiveMs;
      }),
      updatedAt: lastEvent(deployment, visible, now),
    };
  }

  create(tenant: Tenant, body: CreateDeploymentBody, now: number): DeploymentRecord {
    this.purgeDeleted(now);
    const { agent = null, source, source_config, source_revision_config, secrets, secret_references } = body;
    const made = newRecord(tenant.tenantId, now);
    const { name = `${agent?.agent_id ?? ""}-${agent?.environment ?? ""}-${made.id.slice(0, 8)}` } = body;
    checkCreate(source, body);
    this.checkUpload(tenant.tenantId, source_revision_config.source_tarball_path);
    if (!this.settings.anyListener) this.checkListener(tenant, source_config.listener_id);
    if (!this.settings.sameNames && this.deployments.having(tenant.tenantId, name).length > 0) {
      throw new ApiError(409, `A deployment named ${name} already exists`);
    }
    if (agent !== null) this.checkAgent(tenant, agent);
    const { resource_spec: sentSpec, ...sentConfig } = source_config;
    const record = this.deployments.put({
      ...made,
      name,
      agent,
      source,
      source_config: withoutNulls(sentConfig),
      resource_spec: sentSpec || source === "external_docker" ? completeResourceSpec(sentSpec ?? {}) : {},
      source_revision_config: withoutNulls(source_revision_config),
      secrets,
      secret_references: secret_references ?? [],
      display_name: null,
      extra: unknownFields(body),
      deleted_at: null,
    });
    // Before its upload, a client has nothing to run.
    const isRunnable = !isUploaded(source) || Object.keys(record.source_revision_config).length > 0;
    if (isRunnable) this.revisions.add(record, { hiddenMs: this.settings.nullLatestRevisionMs }, now);
    return record;
  }

  /** docs/internals/platform.md, PATCH of a deployment: what it keeps, replaces, ignores, and when it makes a revision. */
  update(old: DeploymentRecord, body: PatchDeploymentBody, now: number): DeploymentRecord {
    const { revision_source: source, tracked_packages: trackedPackages, display_name: displayName } = body;
    const changed = this.changed(old, body, source ?? old.source, now);
    const record = this.deployments.put({ ...changed, display_name: displayName ?? old.display_name });
    const hasSecrets = (body.secrets?.length ?? 0) > 0;
    if (body.source_revision_config || hasSecrets || body.source_config?.resource_spec) {
      const plan = { hiddenMs: this.settings.lateRevision.ms, trackedPackages, ...(source ? { source } : {}) };
      this.revisions.add(record, plan, now);
    }
    return record;
  }

  /** POST of a revision: makes one in any case (docs/internals/platform.md, PATCH of a deployment). */
  revise(old: DeploymentRecord, body: CreateRevisionBody, now: number): RevisionRecord {
    const record = this.deployments.put(this.changed(old, body, old.source, now));
    return this.revisions.add(record, {}, now);
  }

  /** A new revision with the configuration of an earlier one. */
  redeploy(old: DeploymentRecord, again: RevisionRecord, now: number): DeploymentRecord {
    refuseWhileDeleted(old);
    const { commands, ...settings } = again.settings ?? { commands: {} };
    const { install_command: _install, build_command: _build, ...config } = old.source_config;
    const record = this.deployments.put({
      ...old,
      ...settings,
      source_config: again.settings === null ? old.source_config : { ...config, ...commands },
      source_revision_config: again.source_revision_config,
      updated_at: timestamp(now),
    });
    const { source, tracked_packages: trackedPackages } = again;
    this.revisions.add(record, { hiddenMs: this.settings.lateRevision.ms, source, trackedPackages, again }, now);
    return record;
  }

  /** A push to a branch: moves it on, and makes a revision of every deployment that builds it on push. Of all tenants. */
  push(branch: Branch, now: number): void {
    this.purgeDeleted(now);
    this.revisions.branches.push(branch, now);
    for (const record of this.deployments.all()) {
      const { source, source_config: config, source_revision_config: revision, deleted_at: deletedAt } = record;
      const builds = source === "github" && config["build_on_push"] === true && deletedAt === null;
      if (!builds || !isBranch(branch, config["repo_url"], revision["repo_ref"])) continue;
      this.revisions.add(this.deployments.put({ ...record, updated_at: timestamp(now) }), {}, now);
    }
  }

  /** Begins the deletion; a second call changes nothing. */
  remove(record: DeploymentRecord, now: number): void {
    if (record.deleted_at !== null) return;
    const at = timestamp(now);
    this.deployments.put({ ...record, deleted_at: at, updated_at: at });
    this.purgeDeleted(now);
  }

  /** The deployment as a change leaves it, not stored yet. */
  private changed(old: DeploymentRecord, body: CreateRevisionBody, source: string, now: number): DeploymentRecord {
    refuseWhileDeleted(old);
    checkChange(source, body, old);
    this.checkUpload(old.tenant_id, body.source_revision_config?.source_tarball_path);
    const { resource_spec: sentSpec, ...sentConfig } = body.source_config ?? {};
    const { source_revision_config: revisionConfig, secrets = [] } = body;
    return {
      ...old,
      source_config: { ...old.source_config, ...withoutNulls(sentConfig) },
      // The whole object is overwritten, not merged.
      resource_spec: sentSpec ? completeResourceSpec(sentSpec) : old.resource_spec,
      // It is not known whether the platform merges. Overwriting tests a client more strictly.
      source_revision_config: revisionConfig ? withoutNulls(revisionConfig) : old.source_revision_config,
      // An empty list is ignored by the platform: the last secret cannot be cleared.
      secrets: secrets === null || secrets.length === 0 ? old.secrets : secrets,
      secret_references: body.secret_references ?? old.secret_references,
      extra: { ...old.extra, ...unknownFields(body) },
      updated_at: timestamp(now),
    };
  }

  /** 400 unless the path is one that was issued to this tenant. */
  private checkUpload(tenantId: string, path: string | null | undefined): void {
    if (path == null || uploads.in(this.store).having(tenantId, path).length > 0) return;
    throw new ApiError(400, "source_tarball_path is not one that upload-url returned");
  }

  private checkListener({ tenantId }: Tenant, id: string | null | undefined): void {
    if (id == null || listeners.in(this.store).get(tenantId, id) !== undefined) return;
    throw new ApiError(400, `Listener ID ${id} not found.`);
  }

  /** 404 unless there is such an environment, 409 if it has a deployment (docs/internals/platform.md, Agents). */
  private checkAgent(
    { tenantId }: Tenant,
    { agent_id: id, environment }: NonNullable<DeploymentRecord["agent"]>,
  ): void {
    const [agent] = platformAgents.in(this.store).having(tenantId, id);
    const has = agent?.environments.some((each) => each.environment.toLowerCase() === environment);
    if (has !== true) throw notFound(`Agent ${id} with environment ${environment}`);
    const isOfIt = ({ agent: of }: DeploymentRecord) => of?.agent_id === id && of.environment === environment;
    if (this.deployments.of(tenantId).some(isOfIt)) {
      throw new ApiError(409, `Agent ${id} already has a deployment in environment ${environment}`);
    }
  }

  /** Deletion takes time, but no timer runs: deployments that are due are removed by the next lookup. */
  private purgeDeleted(now: number): void {
    for (const record of this.deployments.all()) {
      if (record.deleted_at === null) continue;
      if (now < Date.parse(record.deleted_at) + this.settings.deleteMs) continue;
      this.deployments.remove(record.id);
      this.revisions.removeOf(record);
      for (const all of this.kept) {
        for (const { id } of all.having(record.tenant_id, record.id)) {
          all.remove(id);
          this.forget(id);
        }
      }
    }
  }
}

function refuseWhileDeleted({ id, deleted_at: deletedAt }: DeploymentRecord): void {
  if (deletedAt !== null) throw new ApiError(409, `Deployment ${id} is being deleted`);
}

/** The status of a deployment with these revisions (docs/internals/platform.md, Status of a deployment). */
function deploymentStatus(record: DeploymentRecord, history: readonly RevisionRecord[], now: number): string {
  if (record.deleted_at !== null) return "AWAITING_DELETE";
  const started = history.some((revision) => {
    const { status } = progressOf(revision, now);
    return isFinished(status) || ["BUILDING", "AWAITING_DEPLOY", "DEPLOYING"].includes(status);
  });
  return started || history.length > 1 ? "READY" : "AWAITING_DATABASE";
}

/** The last change of the record, or the end of one of these revisions where that came later. Milliseconds since the epoch. */
function lastEvent(record: DeploymentRecord, history: readonly RevisionRecord[], now: number): number {
  const ends = history.map((revision) => progressOf(revision, now)).filter(({ status }) => isFinished(status));
  return Math.max(Date.parse(record.updated_at), ...ends.map(({ since }) => since));
}
