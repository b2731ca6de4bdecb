import { z } from "zod";
import type { RecordOf } from "../store/collection";
import { defineCollection, fields, storedRecord } from "../store/define-collection";
import { secret, secretReference } from "./deployment-body";
import { revisionOutcome } from "./revision-outcomes";

/** What a revision runs with, beside its source_revision_config: a redeploy brings it back. */
const settings = z.object({
  secrets: z.array(secret),
  secret_references: z.array(secretReference),
  resource_spec: fields,
  /** install_command and build_command, where they were set. */
  commands: fields,
});

/** A revision as stored. Its status is not: it follows from the times and the clock. */
const recordSchema = storedRecord.extend({
  deployment_id: z.string(),
  source: z.string(),
  /** As it was sent: a branch is still its name here. */
  source_revision_config: fields,
  /** The commit that it is built from; null unless it is built from a repository. */
  commit: z.string().nullable().default(null),
  /** The newest agent server when it was made, which its build takes; null in data of an older emulator. */
  server_version: z.string().nullable().default(null),
  tracked_packages: z.array(z.string()).nullable().default(null),
  /** null in data of an older emulator. */
  settings: settings.nullable().default(null),
  /** The revision that a redeploy made it from; null for any other, and in data of an older emulator. */
  redeploy_of: z.string().nullable().default(null),
  outcome: revisionOutcome,
  build_ms: z.number(),
  /** When a newer revision took its place before it was finished. */
  superseded_at: z.string().nullable(),
  /** No answer names it before this moment. */
  visible_from: z.string(),
  /** Returned instead of the status by the clock. Set out of band, for statuses that the clock never reaches. */
  status_override: z.string().nullable(),
  /** Whether a command of the user's own has run for it: nothing is made up for its logs. */
  by_command: z.boolean().default(false),
});

/** The revisions of all deployments. */
export const revisions = defineCollection("revisions", recordSchema, (record) => [record.deployment_id]);
export type RevisionRecord = RecordOf<typeof revisions>;

export interface StatusSince {
  readonly status: string;
  readonly since: number;
}

/** Where each status begins, as a fraction of the time that a revision takes. */
const STATUS_STARTS = [
  { status: "CREATING", from: 0 },
  { status: "QUEUED", from: 0.05 },
  { status: "AWAITING_BUILD", from: 0.15 },
  { status: "BUILDING", from: 0.25 },
  { status: "AWAITING_DEPLOY", from: 0.75 },
  { status: "DEPLOYING", from: 0.8 },
  { status: "DEPLOYED", from: 1 },
] as const;

/** When each outcome is reached, as a fraction of the time that a revision takes. */
const OUTCOME_FRACTIONS: Readonly<Record<RevisionRecord["outcome"], number>> = {
  CREATE_FAILED: 0.05,
  BUILD_FAILED: 0.75,
  DEPLOY_FAILED: 1,
  DEPLOYED: 1,
  STUCK: Infinity,
};

/** The status of a revision at a moment: computed, so that no timer runs and a restart changes nothing. */
export function progressOf(revision: RevisionRecord, now: number): StatusSince {
  if (revision.status_override !== null) return overridden(revision, revision.status_override);
  return historyOf(revision, now).at(-1) ?? { status: "CREATING", since: Date.parse(revision.created_at) };
}

/** All statuses that a revision has reached by a moment, oldest first; by Infinity, also those that it is still to reach. */
export function historyOf(revision: RevisionRecord, now: number): readonly StatusSince[] {
  const override = revision.status_override;
  const end = override === null ? endOf(revision) : overridden(revision, override);
  // The first is there even in a revision that ends at once.
  const steps = stepsOf(revision).filter(({ since }, index) => since <= now && (since < end.since || index === 0));
  return end.since <= now && end.since < Infinity ? [...steps, end] : steps;
}

const overridden = ({ updated_at: at }: RevisionRecord, status: string): StatusSince => ({
  status,
  since: Date.parse(at),
});

/** How it ends, unless its status is overridden; never, for one that is stuck. */
function endOf({ outcome, created_at: at, build_ms: buildMs, superseded_at: by }: RevisionRecord): StatusSince {
  // Infinity times zero is not a number: a stuck revision stays stuck with no build time as well.
  const since = outcome === "STUCK" ? Infinity : Date.parse(at) + OUTCOME_FRACTIONS[outcome] * buildMs;
  const superseded = by === null ? Infinity : Date.parse(by);
  return superseded < since ? { status: "SKIPPED", since: superseded } : { status: outcome, since };
}

/** What it goes through before its end, at the latest. */
function stepsOf(revision: RevisionRecord): readonly StatusSince[] {
  const last = revision.outcome === "STUCK" ? "BUILDING" : "DEPLOYING";
  const count = STATUS_STARTS.findIndex(({ status }) => status === last) + 1;
  return STATUS_STARTS.slice(0, count).map(({ status }) => ({ status, since: statusStart(revision, status) }));
}

/** When a status begins in a revision that reaches it. Milliseconds since the epoch. */
export function statusStart(revision: RevisionRecord, status: (typeof STATUS_STARTS)[number]["status"]): number {
  const from = STATUS_STARTS.find((row) => row.status === status)?.from ?? 0;
  return Date.parse(revision.created_at) + from * revision.build_ms;
}

/** Whether a status never changes any more (docs/internals/platform.md, End states). */
export function isFinished(status: string): boolean {
  return status === "DEPLOYED" || status === "SKIPPED" || status.endsWith("_FAILED");
}
