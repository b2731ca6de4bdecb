import type { Graph } from "./agents/graph";
import type { StreamSettings } from "./agents/reader";
import type { LineEnds } from "./agents/sse";
import { realClock, type Clock } from "./base/clock";
import type { FaultInput } from "./faults/fault";
import type { RetryAfterForm } from "./limits/rate-limiter";
import type { LogEntry } from "./server/request-log";
import type { Layer } from "./server/pipeline";

/** Which endpoints exist (docs/platform.md, Two contracts). */
export type Contract = "documented" | "extended";

/** How a revision ends. STUCK never leaves BUILDING. */
export type RevisionOutcome = "DEPLOYED" | "CREATE_FAILED" | "BUILD_FAILED" | "DEPLOY_FAILED" | "STUCK";

/** A workspace, and the key that opens it. Several tenants may share one key: X-Tenant-Id then picks (default: the first). */
export interface Tenant {
  readonly tenantId: string;
  readonly organizationId: string;
  readonly apiKey: string;
}

/** What a `revisionOutcome` hook sees of the revision about to be made. */
export interface NewRevision {
  readonly deploymentId: string;
  readonly deploymentName: string;
  readonly sourceRevisionConfig: Readonly<Record<string, unknown>>;
}

/** How a revision that a PATCH made is hidden, and for how many milliseconds. */
export interface LateRevision {
  readonly ms: number;
  /** What answers name meanwhile: the revision before, or null. The configuration that they show is that of the one before. */
  readonly names: "the one before" | "none";
}

/** Settings of `startEmulator`; every one has a default that suits a test. */
export interface EmulatorOptions {
  /** @default 0: any free port. The host is always 127.0.0.1. */
  readonly port?: number;
  /** @default "extended" */
  readonly contract?: Contract;
  /** Key of the one default tenant. @default "emulator-key" */
  readonly apiKey?: string;
  /** Replaces the default tenant (and `apiKey`). */
  readonly tenants?: readonly Tenant[];
  /** Chooses the column of the limits table. @default "us" */
  readonly region?: "us" | "eu";
  /** @default the clock of the machine */
  readonly clock?: Clock;
  /** Seconds from the birth of a revision to DEPLOYED. @default 0.2 */
  readonly buildSeconds?: number;
  /** Seconds for which a deleted deployment still answers AWAITING_DELETE. @default half of buildSeconds */
  readonly deleteSeconds?: number;
  /** Seconds for which a fresh deployment, its first revision DEPLOYED, still answers 503. @default 0 */
  readonly agentStartSeconds?: number;
  /** Graphs of every deployment beside `agent` and `boom` (agents/graph.ts). @default none */
  readonly graphs?: Readonly<Record<string, Graph>>;
  /** Seconds between the heartbeats of a stream. @default 5 */
  readonly heartbeatSeconds?: number;
  /** How lines of a stream end: the Python server writes CRLF, the JavaScript one LF. @default "crlf" */
  readonly streamLineEnds?: LineEnds;
  /** Send an `end` event before a stream ends, as some servers do. @default false */
  readonly streamEndEvent?: boolean;
  /** JSON file that holds all objects: read at start, written before each answer. @default none: memory only */
  readonly dataFile?: string;
  /** Decides how a new revision ends; undefined leaves it to the markers (see revision-outcome.ts). */
  readonly revisionOutcome?: (revision: NewRevision) => RevisionOutcome | undefined;
  /** Milliseconds for which a new deployment answers `latest_revision_id: null`. @default 0 */
  readonly nullLatestRevisionMs?: number;
  /** Take a second deployment of a name that is taken, as a platform may that does not refuse it. @default false */
  readonly sameNames?: boolean;
  /** After a PATCH that makes a revision, answers go on naming the one before, or none, for so long. @default the new one at once */
  readonly lateRevision?: LateRevision;
  /** Milliseconds for which a revision answers 404 after it is named. @default 0 */
  readonly freshRevision404Ms?: number;
  /** Milliseconds for which active_revision_id is still the one before, once a revision is DEPLOYED. @default 0 */
  readonly staleActiveMs?: number;
  /** Most items of a page, whatever `limit` asks for; the offset counts what came. @default what `limit` asks for */
  readonly pageSize?: number;
  /**
   * New templates are rows of an older version: answers have null as id, created_at and updated_at (docs/platform.md, Sandbox templates),
   * until they get theirs: `outOfBand(sandboxTemplates).change(name, { is_old_row: false })`. @default false
   */
  readonly oldTemplateRows?: boolean;
  /** Answer a cpu of whole cores as a number, `resources: {cpu: 1}`. @default false */
  readonly numericCpu?: boolean;
  /** Answer deployment secrets with their values, as some versions of the platform do. @default false */
  readonly echoSecretValues?: boolean;
  /** Leave install_command and build_command out of answers, as older versions of the platform do. @default false */
  readonly hideCommands?: boolean;
  /** Answer to a path of neither contract. A 404 could be read as "deleted". @default "501" */
  readonly unknownRoute?: "404" | "501";
  /** Called with each request once it is answered. */
  readonly onRequest?: (entry: LogEntry) => void;
  /** Faults that are on from the start (fault.ts); `emulator.faults` switches more. @default none */
  readonly faults?: readonly FaultInput[];
  /** Of all that faults draw: probability and jitter. @default 1 */
  readonly seed?: number;
  /** Enforce the rate limits of docs/platform.md, Limits. @default false; the form of Retry-After is "seconds" */
  readonly limits?: boolean | { readonly retryAfter: RetryAfterForm };
  /** Sandbox templates that a tenant may have; one more answers 429 QuotaExceeded (docs/platform.md, Sandbox templates). @default no end */
  readonly sandboxQuota?: number;
  /** What each request passes on its way in and out, outermost first; limits and faults come after. @default none */
  readonly layers?: readonly Layer[];
}

/** The options with every default filled in. */
export interface Settings {
  readonly contract: Contract;
  readonly tenants: readonly Tenant[];
  readonly region: "us" | "eu";
  readonly clock: Clock;
  readonly buildMs: number;
  readonly deleteMs: number;
  readonly agentStartMs: number;
  readonly graphs: Readonly<Record<string, Graph>>;
  readonly stream: StreamSettings;
  readonly revisionOutcome: (revision: NewRevision) => RevisionOutcome | undefined;
  readonly nullLatestRevisionMs: number;
  readonly sameNames: boolean;
  readonly lateRevision: LateRevision;
  readonly freshRevision404Ms: number;
  readonly staleActiveMs: number;
  readonly pageSize: number;
  readonly oldTemplateRows: boolean;
  readonly numericCpu: boolean;
  readonly echoSecretValues: boolean;
  readonly hideCommands: boolean;
  readonly unknownRoute: "404" | "501";
  readonly sandboxQuota: number;
}

/** Tenant and organization of an emulator that was given none. Fixed, so that stored data is found again. */
export const defaultTenantIds = {
  tenantId: "5b0e7a52-7f5d-4c0c-9a1e-6d3f0a1b2c3d",
  organizationId: "c1d2e3f4-0a1b-4c2d-8e3f-405162738495",
} as const;

export function settingsFrom(options: EmulatorOptions): Settings {
  const tenants = options.tenants ?? [{ ...defaultTenantIds, apiKey: options.apiKey ?? "emulator-key" }];
  if (tenants.length === 0) throw new Error("The emulator needs at least one tenant.");
  const buildMs = (options.buildSeconds ?? 0.2) * 1000;
  const deleteMs = options.deleteSeconds === undefined ? buildMs / 2 : options.deleteSeconds * 1000;
  const clock = options.clock ?? realClock;
  return {
    contract: options.contract ?? "extended",
    tenants,
    region: options.region ?? "us",
    clock,
    buildMs,
    deleteMs,
    agentStartMs: (options.agentStartSeconds ?? 0) * 1000,
    graphs: options.graphs ?? {},
    stream: {
      clock,
      lineEnds: options.streamLineEnds ?? "crlf",
      heartbeatMs: (options.heartbeatSeconds ?? 5) * 1000,
      endEvent: options.streamEndEvent ?? false,
    },
    revisionOutcome: options.revisionOutcome ?? (() => undefined),
    nullLatestRevisionMs: options.nullLatestRevisionMs ?? 0,
    sameNames: options.sameNames ?? false,
    lateRevision: options.lateRevision ?? { ms: 0, names: "the one before" },
    freshRevision404Ms: options.freshRevision404Ms ?? 0,
    staleActiveMs: options.staleActiveMs ?? 0,
    pageSize: options.pageSize ?? Infinity,
    oldTemplateRows: options.oldTemplateRows ?? false,
    numericCpu: options.numericCpu ?? false,
    echoSecretValues: options.echoSecretValues ?? false,
    hideCommands: options.hideCommands ?? false,
    unknownRoute: options.unknownRoute ?? "501",
    sandboxQuota: options.sandboxQuota ?? Infinity,
  };
}
