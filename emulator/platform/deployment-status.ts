import type { DeploymentRecord } from "./deployment-record";
import { isFinished, progressOf, type RevisionRecord } from "./revision-record";

/** The state of a deployment at one moment, as its revisions decide it. */
export interface DeploymentStatus {
  readonly status: string;
  /** The revision whose configuration answers show. */
  readonly latest: RevisionRecord | undefined;
  /** null while no answer names the latest revision. */
  readonly latestRevisionId: string | null;
  /** The newest revision that is known to be DEPLOYED. */
  readonly active: RevisionRecord | undefined;
  /** When something last happened to it: a change, or the end of a revision. Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** The status of a deployment with these revisions (docs/internals/platform.md, Status of a deployment). */
export function deploymentStatus(record: DeploymentRecord, history: readonly RevisionRecord[], now: number): string {
  if (record.deleted_at !== null) return "AWAITING_DELETE";
  const started = history.some((revision) => {
    const { status } = progressOf(revision, now);
    return isFinished(status) || ["BUILDING", "AWAITING_DEPLOY", "DEPLOYING"].includes(status);
  });
  return started || history.length > 1 ? "READY" : "AWAITING_DATABASE";
}

/** The last change of the record, or the end of one of these revisions where that came later. */
export function lastEvent(record: DeploymentRecord, history: readonly RevisionRecord[], now: number): number {
  const ends = history.map((revision) => progressOf(revision, now)).filter(({ status }) => isFinished(status));
  return Math.max(Date.parse(record.updated_at), ...ends.map(({ since }) => since));
}
