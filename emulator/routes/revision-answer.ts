import { timestamp } from "../base/clock";
import { revisionConfigAnswer } from "../platform/revision-image";
import { progressOf, type RevisionRecord } from "../platform/revision-record";

/** A revision as the platform answers it (docs/internals/platform.md, Revisions). No reason of a failure is given. */
export function revisionAnswer(record: RevisionRecord, now: number): Record<string, unknown> {
  const { status, since } = progressOf(record, now);
  const config = { tracked_packages: record.tracked_packages, ...revisionConfigAnswer(record, now) };
  return {
    id: record.id,
    created_at: record.created_at,
    updated_at: timestamp(since),
    status,
    source: record.source,
    source_revision_config: config,
    deepagents_version: null,
  };
}
