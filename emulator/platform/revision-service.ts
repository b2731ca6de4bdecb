import { notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import { type Collection, newRecord } from "../store/collection";
import type { Store } from "../store/store";
import { Branches, branches } from "./branches";
import type { DeploymentRecord } from "./deployment-record";
import type { EmulatedSettings } from "./options";
import type { RevisionOutcomes } from "./revision-outcomes";
import { isFinished, progressOf, revisions, type RevisionRecord } from "./revision-record";

/** What a new revision is made of, besides the deployment as it is now. */
export interface RevisionPlan {
  /** Milliseconds until an answer names it. @default 0 */
  readonly hiddenMs?: number;
  /** @default that of the deployment */
  readonly source?: string;
  readonly trackedPackages?: readonly string[] | null;
  /** The revision that is redeployed: its commit is built once more. @default the branch's latest commit */
  readonly again?: RevisionRecord;
}

/** The revisions of deployments. Their outcome is decided when they are created; the clock decides when it shows. */
export class RevisionService {
  private readonly revisions: Collection<RevisionRecord>;
  readonly branches: Branches;

  constructor(
    store: Store,
    private readonly settings: EmulatedSettings,
    private readonly outcomes: RevisionOutcomes,
  ) {
    this.revisions = revisions.in(store);
    this.branches = new Branches(branches.in(store));
  }

  /** All revisions of a deployment, those that no answer names yet included, oldest first. */
  all(deployment: DeploymentRecord): readonly RevisionRecord[] {
    return this.revisions.having(deployment.tenant_id, deployment.id);
  }

  of(deployment: DeploymentRecord, now: number): readonly RevisionRecord[] {
    return this.all(deployment).filter((record) => Date.parse(record.visible_from) <= now);
  }

  /** The revision; 404 unless it is visible and no longer fresh. */
  get(deployment: DeploymentRecord, id: string, now: number): RevisionRecord {
    const found = this.of(deployment, now).find((record) => record.id === id);
    const isKnown = found !== undefined && now >= Date.parse(found.visible_from) + this.settings.freshRevision404Ms;
    if (!isKnown) throw notFound(`Revision ${id}`);
    return found;
  }

  /** Makes a revision of the deployment as it is now; it takes the place of one that is not finished. */
  add(deployment: DeploymentRecord, plan: RevisionPlan, now: number): RevisionRecord {
    for (const older of this.all(deployment)) {
      if (older.superseded_at !== null || isFinished(progressOf(older, now).status)) continue;
      this.revisions.put({ ...older, superseded_at: timestamp(now) });
    }
    const { name: deploymentName, id: deploymentId, source_revision_config: config } = deployment;
    return this.revisions.put({
      ...newRecord(deployment.tenant_id, now),
      deployment_id: deployment.id,
      source: plan.source ?? deployment.source,
      source_revision_config: config,
      commit: plan.again === undefined ? this.commitOf(deployment) : plan.again.commit,
      server_version: plan.again?.server_version ?? this.settings.serverVersion(),
      tracked_packages: plan.trackedPackages ? [...plan.trackedPackages] : null,
      settings: settingsOf(deployment),
      redeploy_of: plan.again?.id ?? null,
      outcome: this.outcomes.decide({ deploymentId, deploymentName, sourceRevisionConfig: config }),
      build_ms: this.settings.buildMs,
      superseded_at: null,
      visible_from: timestamp(now + (plan.hiddenMs ?? 0)),
      status_override: null,
      by_command: false,
    });
  }

  /** Gives a revision a status that the clock does not decide. */
  override(revision: RevisionRecord, status: string, now: number): void {
    this.revisions.put({ ...revision, status_override: status, updated_at: timestamp(now) });
  }

  removeOf(deployment: DeploymentRecord): void {
    for (const { id } of this.all(deployment)) this.revisions.remove(id);
  }

  private commitOf({
    source,
    source_config: config,
    source_revision_config: revision,
  }: DeploymentRecord): string | null {
    const [url, ref] = [config["repo_url"], revision["repo_ref"]];
    if (source !== "github" || typeof url !== "string" || typeof ref !== "string") return null;
    return this.branches.commitOf(url, ref);
  }
}

function settingsOf(deployment: DeploymentRecord): RevisionRecord["settings"] {
  const { secrets, secret_references, resource_spec, source_config: config } = deployment;
  const commands = ["install_command", "build_command"].filter((name) => name in config);
  return {
    secrets,
    secret_references,
    resource_spec,
    commands: Object.fromEntries(commands.map((name) => [name, config[name]])),
  };
}
