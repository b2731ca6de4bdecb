import { withDefaults } from "../base/with-defaults";

/** How a revision ends. STUCK never leaves BUILDING. */
export type RevisionOutcome = "DEPLOYED" | "CREATE_FAILED" | "BUILD_FAILED" | "DEPLOY_FAILED" | "STUCK";

/** The revision about to be made, as a `revisionOutcome` hook sees it. */
export interface NewRevision {
  readonly deploymentId: string;
  readonly deploymentName: string;
  readonly sourceRevisionConfig: Readonly<Record<string, unknown>>;
}

/** How a revision that a PATCH made is hidden, and for how many milliseconds. */
export interface LateRevision {
  readonly ms: number;
  /** The revision that answers name meanwhile: the previous one, or null. They show the previous revision's configuration. */
  readonly names: "the one before" | "none";
}

/** A line of a revision's log; a text alone is of level INFO. */
export type LogLine =
  | string
  | {
      readonly level: "DEBUG" | "INFO" | "WARNING" | "ERROR" | "CRITICAL";
      readonly message: string;
      /** When it was written, in milliseconds since the epoch. @default spread over the step */
      readonly at?: number;
      /** Its number in a log whose first lines are gone. @default its place among the lines */
      readonly number?: number;
    };

/** The revision whose log is asked for, as a `revisionLog` hook sees it. */
export interface LoggedRevision extends NewRevision {
  readonly revisionId: string;
  /** The log of the build, or that of the start and of the agent itself. */
  readonly kind: "build" | "deploy";
}

/** An installation of the platform's GitHub app, whose id is an integration_id. */
export interface GithubIntegration {
  readonly id: string;
  readonly name: string;
}

/** How the platform's objects behave over time, and what it refuses. */
export interface PlatformOptions {
  /** Seconds from the creation of a revision to DEPLOYED. @default 0.2 */
  readonly buildSeconds?: number;
  /** Seconds for which a deleted deployment still answers AWAITING_DELETE. @default half of buildSeconds */
  readonly deleteSeconds?: number;
  /** Decides how a new revision ends; undefined leaves it to the markers (platform/revision-outcomes.ts). */
  readonly revisionOutcome?: (revision: NewRevision) => RevisionOutcome | undefined;
  /** The lines of a revision's log, spread over the time of its build or its start; undefined leaves them to the emulator. */
  readonly revisionLog?: (revision: LoggedRevision) => readonly LogLine[] | undefined;
  /** The newest agent server, which the next revision takes if the platform builds it; a function is asked each time. @default "0.9.1" */
  readonly serverVersion?: string | (() => string);
  /** What GET /v1/integrations/github/install answers. @default one, "example" */
  readonly githubIntegrations?: readonly GithubIntegration[];
  /** Milliseconds for which a new deployment answers `latest_revision_id: null`. @default 0 */
  readonly nullLatestRevisionMs?: number;
  /** Accept a second deployment of the same name, as the platform may. @default false */
  readonly sameNames?: boolean;
  /** Accept a listener_id that no listener has, as the platform may. @default false */
  readonly anyListener?: boolean;
  /** For a while after a PATCH that makes a revision, answers name the previous one, or null. @default the new one at once */
  readonly lateRevision?: LateRevision;
  /** Milliseconds for which a revision answers 404 after it is named. @default 0 */
  readonly freshRevision404Ms?: number;
  /** Milliseconds for which active_revision_id still names the previous revision once a new one is DEPLOYED. @default 0 */
  readonly staleActiveMs?: number;
  /**
   * New templates are rows of an older version: answers have null as id, created_at and updated_at (docs/internals/platform.md, Sandbox templates),
   * until they get theirs: `outOfBand(sandboxTemplates).change(name, { is_old_row: false })`. @default false
   */
  readonly oldTemplateRows?: boolean;
  /** Sandbox templates that a tenant may have; one more answers 429 QuotaExceeded (docs/internals/platform.md, Sandbox templates). @default no limit */
  readonly sandboxQuota?: number;
}

/** The options with every default filled in, times in milliseconds. */
export type EmulatedSettings = Readonly<ReturnType<typeof platformSettings>>;

/** Made up, and the same at every start, so that a program can name it. */
const GITHUB: GithubIntegration = { id: "8f3c2d1e-5b4a-4f60-9d7e-1a2b3c4d5e6f", name: "example" };

const DEFAULTS: Required<Omit<PlatformOptions, "buildSeconds" | "deleteSeconds" | "serverVersion">> = {
  revisionOutcome: () => undefined,
  revisionLog: () => undefined,
  githubIntegrations: [GITHUB],
  nullLatestRevisionMs: 0,
  sameNames: false,
  anyListener: false,
  lateRevision: { ms: 0, names: "the one before" },
  freshRevision404Ms: 0,
  staleActiveMs: 0,
  oldTemplateRows: false,
  sandboxQuota: Infinity,
};

export function platformSettings(options: PlatformOptions) {
  const { buildSeconds = 0.2, deleteSeconds = buildSeconds / 2, serverVersion = "0.9.1" } = options;
  return {
    ...withDefaults(DEFAULTS, options),
    buildMs: buildSeconds * 1000,
    deleteMs: deleteSeconds * 1000,
    serverVersion: typeof serverVersion === "string" ? () => serverVersion : serverVersion,
  };
}
