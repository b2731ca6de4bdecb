import { z } from "zod";
import type { StoredRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import type { RevisionOutcome } from "./options";
import { revisionOutcome } from "./revision-schema";
import { runConfig } from "./sandbox-snapshot-body";

/** A snapshot as stored. Its status is not: it follows from the times and the clock. */
export interface SandboxSnapshotRecord extends StoredRecord {
  name: string;
  /** Those that no newer snapshot of the same name has taken. */
  tags: string[];
  docker_image: string;
  fs_capacity_bytes: number;
  labels: Record<string, string>;
  registry_id: string | null;
  description: string;
  run_config: {
    user?: string | undefined;
    work_dir?: string | undefined;
    env_vars?: Record<string, string> | undefined;
  } | null;
  /** How its build ends, in the words of a revision. */
  outcome: RevisionOutcome;
  build_ms: number;
  /** Returned instead of the status by the clock. Set out of band, for statuses that the clock never reaches: "deleting". */
  status_override: string | null;
}

const recordSchema = storedRecord.extend({
  name: z.string(),
  tags: z.array(z.string()),
  docker_image: z.string(),
  fs_capacity_bytes: z.number(),
  labels: z.record(z.string(), z.string()),
  registry_id: z.string().nullable(),
  description: z.string().default(""),
  run_config: runConfig.nullable().default(null),
  outcome: revisionOutcome,
  build_ms: z.number(),
  status_override: z.string().nullable(),
});

/** The snapshots; out of band they are found by name and by name:tag too, as in a path. */
export const sandboxSnapshots = defineCollection<SandboxSnapshotRecord>(
  "sandbox_snapshots",
  recordSchema,
  ({ name, tags }) => [name, ...tags.map((tag) => `${name}:${tag}`)],
);

/** The status of a snapshot at a moment, and since when it holds: computed, so that no timer runs and a restart changes nothing. */
export function snapshotProgress(record: SandboxSnapshotRecord, now: number): { status: string; since: number } {
  const { outcome, build_ms: buildMs, created_at: created, updated_at: updated, status_override: override } = record;
  if (override !== null) return { status: override, since: Date.parse(updated) };
  const end = Date.parse(created) + buildMs;
  if (outcome === "STUCK" || now < end) return { status: "building", since: Date.parse(created) };
  return { status: outcome === "DEPLOYED" ? "ready" : "failed", since: end };
}
