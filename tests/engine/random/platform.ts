import {
  defaultTenantIds,
  deployments,
  oauthProviders,
  revisions,
  sandboxTemplates,
  startEmulator,
  type DeploymentRecord,
  type Emulator,
  type EmulatorOptions,
  type LogEntry,
  type RevisionOutcome,
  type RevisionRecord,
} from "../../../emulator";
import type { ManagedType } from "../../../provider/resources/resource-types";
import { Outage, revoked, whenMade, whoAsks } from "./layers";

/** The keys: two of one tenant, for a rotation, and one of another tenant. */
export const KEYS = { first: "key-first", second: "key-second", other: "key-other-tenant" } as const;
const OTHER_TENANT = "00000000-0000-4000-8000-00000000000b";

/** The oddities that a platform may have, and that official clients live with. */
export const ODDITIES = [
  "takes a second deployment of a name",
  "answers 404 for a revision that it has just named",
  "names the active revision late",
  "writes a cpu as a number",
  "gives one item a page",
] as const;
export type Oddity = (typeof ODDITIES)[number];

/** How a platform behaves for a whole program. */
export interface Traits {
  /** When answers name a new revision after the PATCH: until then they say null, or the previous one. */
  readonly naming: "at once" | "late, null until then" | "late, the old one until then";
  /** How long a deployment that is deleted by hand answers AWAITING_DELETE: for moments, or long enough for a command or two. */
  readonly deletes: "at once" | "slowly";
  readonly oddities: readonly Oddity[];
}

/** An object on the platform. `id` is its id in state; `uuid` tells it from one that was made again under the same name. */
export interface PlatformObject {
  readonly managedType: ManagedType;
  readonly id: string;
  readonly uuid: string;
  readonly name: string;
  readonly tenant: string;
  readonly isBeingDeleted: boolean;
  /** All its fields but `updated_at`. */
  readonly record: Readonly<Record<string, unknown>>;
}

const BUILD_SECONDS = 0.2;
const LATE_MS = 700;
const SLOW_DELETE_MS = 12_000;

/** The emulator with what a random program needs besides: late names, outages, revoked keys, the configuration that each revision was made from. */
export class Platform {
  /** The deployment as it was when each revision was made. */
  readonly madeFrom = new Map<string, DeploymentRecord>();
  readonly outage = new Outage();
  private readonly outcomes = new Map<string, RevisionOutcome>();
  readonly revokedKeys = new Set<string>();
  /** The packages that have sent requests since this was cleared. */
  readonly askedBy = new Set<string>();
  /** The last request before the command that is judged. */
  seenUntil = 0;
  private readonly deleteMs = 100;
  private slowDeletes = false;
  private started: Emulator | undefined;

  static async start(traits: Traits): Promise<Platform> {
    const platform = new Platform();
    platform.slowDeletes = traits.deletes === "slowly";
    platform.started = await startEmulator({
      buildSeconds: BUILD_SECONDS,
      anyListener: true,
      deleteSeconds: platform.deleteMs / 1000,
      tenants: [
        { ...defaultTenantIds, apiKey: KEYS.first },
        { ...defaultTenantIds, apiKey: KEYS.second },
        { tenantId: OTHER_TENANT, organizationId: OTHER_TENANT, apiKey: KEYS.other },
      ],
      revisionOutcome: ({ deploymentName }) => platform.takeOutcome(deploymentName),
      layers: [
        whoAsks(platform.askedBy),
        whenMade(() => platform.recordRevisions()),
        revoked(platform.revokedKeys),
        platform.outage,
      ],
      ...settingsOf(traits),
    });
    return platform;
  }

  get emulator(): Emulator {
    if (this.started === undefined) throw new Error("The platform was not started.");
    return this.started;
  }

  get url(): string {
    return this.emulator.url;
  }

  get requests(): readonly LogEntry[] {
    return this.emulator.requests;
  }

  /** Decides how the next revision of the deployment of this name ends. */
  nextRevision(name: string, outcome: RevisionOutcome): void {
    this.outcomes.set(name, outcome);
  }

  forgetOutcomes(): void {
    this.outcomes.clear();
  }

  revisions(): readonly RevisionRecord[] {
    return this.emulator.outOfBand(revisions).list();
  }

  deployments(): readonly DeploymentRecord[] {
    const now = Date.now();
    const list = this.emulator.outOfBand(deployments).list();
    return list.filter(({ deleted_at }) => deleted_at === null || now < Date.parse(deleted_at) + this.deleteMs);
  }

  /** The deployment as it was when the revision that serves was made; undefined where no revision serves. */
  serving(deploymentId: string): DeploymentRecord | undefined {
    const now = Date.now();
    const finished = this.revisions().filter(
      (revision) =>
        revision.deployment_id === deploymentId &&
        revision.outcome === "DEPLOYED" &&
        revision.superseded_at === null &&
        now >= Date.parse(revision.created_at) + revision.build_ms,
    );
    const active = finished.at(-1);
    return active && this.madeFrom.get(active.id);
  }

  objects(): PlatformObject[] {
    const { emulator } = this;
    return [
      ...emulator
        .outOfBand(sandboxTemplates)
        .list()
        .map((record) => object("SandboxTemplate", record.id, record.name, record)),
      ...emulator
        .outOfBand(oauthProviders)
        .list()
        .map((record) => object("OAuthProvider", record.provider_id, record.provider_id, record)),
      ...this.deployments().map((record) => object("Deployment", record.id, record.name, record)),
    ];
  }

  /** Whether the latest revision of a deployment failed or is stuck, or the next one will be. */
  hasUnfinishedBusiness(): boolean {
    return this.outcomes.size > 0 || this.hasUnfinishedRollout();
  }

  /** Whether the latest revision of a deployment failed, or is stuck. */
  hasUnfinishedRollout(): boolean {
    return this.deployments().some(({ id }) => {
      const latest = this.revisions()
        .filter(({ deployment_id }) => deployment_id === id)
        .at(-1);
      return latest !== undefined && latest.outcome !== "DEPLOYED";
    });
  }

  /** Bypasses the API, and takes effect at once. */
  remove({ managedType, uuid }: PlatformObject): void {
    if (managedType === "SandboxTemplate") this.emulator.outOfBand(sandboxTemplates).remove(uuid);
    else if (managedType === "OAuthProvider") this.emulator.outOfBand(oauthProviders).remove(uuid);
    else this.emulator.outOfBand(deployments).remove(uuid);
  }

  /** A deletion by hand takes long on some platforms; one of ours never does, since a command waits for it. */
  deletionBegan(uuid: string): void {
    if (!this.slowDeletes) return;
    const until = new Date(Date.now() + SLOW_DELETE_MS).toISOString();
    this.emulator.outOfBand(deployments).change(uuid, { deleted_at: until });
  }

  close(): Promise<void> {
    return this.emulator.close();
  }

  private takeOutcome(name: string): RevisionOutcome | undefined {
    const outcome = this.outcomes.get(name);
    this.outcomes.delete(name);
    return outcome;
  }

  private recordRevisions(): void {
    for (const { id, deployment_id } of this.revisions()) {
      if (this.madeFrom.has(id)) continue;
      const deployment = this.deployments().find((other) => other.id === deployment_id);
      if (deployment !== undefined) this.madeFrom.set(id, deployment);
    }
  }
}

function settingsOf({ naming, oddities }: Traits): EmulatorOptions {
  const late = { ms: LATE_MS, names: naming === "late, null until then" ? "none" : "the one before" } as const;
  return {
    ...(naming === "at once" ? {} : { lateRevision: late, nullLatestRevisionMs: LATE_MS }),
    sameNames: oddities.includes("takes a second deployment of a name"),
    freshRevision404Ms: oddities.includes("answers 404 for a revision that it has just named") ? LATE_MS : 0,
    staleActiveMs: oddities.includes("names the active revision late") ? LATE_MS : 0,
    numericCpu: oddities.includes("writes a cpu as a number"),
    pageSize: oddities.includes("gives one item a page") ? 1 : Infinity,
  };
}

function object(
  managedType: ManagedType,
  id: string,
  name: string,
  record: { readonly id: string; readonly tenant_id: string; readonly deleted_at?: string | null },
): PlatformObject {
  const { tenant_id: tenant, id: uuid, deleted_at = null } = record;
  const shown = Object.fromEntries(Object.entries(record).filter(([key]) => key !== "updated_at"));
  return { managedType, id, uuid, name, tenant, isBeingDeleted: deleted_at !== null, record: shown };
}
