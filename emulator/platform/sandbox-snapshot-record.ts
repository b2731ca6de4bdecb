import { z } from "zod";
import type { RecordOf } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { revisionOutcome } from "./revision-schema";
import { runConfig } from "./resource-bodies";

/** A snapshot as stored. Its status is not: it follows from the times and the clock. */
const recordSchema = storedRecord.extend({
  name: z.string(),
  /** Those that no newer snapshot of the same name has taken. */
  tags: z.array(z.string()),
  docker_image: z.string(),
  fs_capacity_bytes: z.number(),
  labels: z.record(z.string(), z.string()),
  registry_id: z.string().nullable(),
  description: z.string().default(""),
  run_config: runConfig.nullable().default(null),
  /** How its build ends, in the words of a revision. */
  outcome: revisionOutcome,
  build_ms: z.number(),
  /** Returned instead of the status by the clock. Set out of band, for statuses that the clock never reaches: "deleting". */
  status_override: z.string().nullable(),
});

/** The snapshots; out of band they are found by name and by name:tag too, as in a path. */
export const sandboxSnapshots = defineCollection("sandbox_snapshots", recordSchema, ({ name, tags }) => [
  name,
  ...tags.map((tag) => `${name}:${tag}`),
]);
export type SandboxSnapshotRecord = RecordOf<typeof sandboxSnapshots>;

/** The status of a snapshot at a moment, and since when it holds: computed, so that no timer runs and a restart changes nothing. */
export function snapshotProgress(record: SandboxSnapshotRecord, now: number): { status: string; since: number } {
  const { outcome, build_ms: buildMs, created_at: created, updated_at: updated, status_override: override } = record;
  if (override !== null) return { status: override, since: Date.parse(updated) };
  const end = Date.parse(created) + buildMs;
  if (outcome === "STUCK" || now < end) return { status: "building", since: Date.parse(created) };
  return { status: outcome === "DEPLOYED" ? "ready" : "failed", since: end };
}
