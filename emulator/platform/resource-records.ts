import { z } from "zod";
import type { RecordOf, StoredRecord } from "../store/collection";
import { defineCollection, fields, storedRecord } from "../store/define-collection";
import { createListenerBody, createOAuthProviderBody, createSandboxTemplateBody, runConfig } from "./resource-bodies";
import { revisionOutcome } from "./revision-outcomes";

const listener = storedRecord.extend(createListenerBody.shape);

/** The listeners; out of band they are found by compute_id too. */
export const listeners = defineCollection("listeners", listener, ({ compute_id: computeId }) => [computeId]);
export type ListenerRecord = RecordOf<typeof listeners>;

/** An OAuth provider as stored. Only the record holds the secret, never an answer. */
const oauthProvider = storedRecord.extend({
  ...createOAuthProviderBody.shape,
  organization_id: z.string(),
  code_challenge_method: z.string().nullable(),
  authorization_params: fields.nullable(),
  allowed_redirect_uris: z.array(z.string()).nullable(),
  provider_type: z.string().nullable().default(null),
  mcp_server_url: z.string().nullable().default(null),
  is_dynamic_client: z.boolean().default(false),
});

/** The OAuth providers; out of band they are found by provider_id too. */
export const oauthProviders = defineCollection("oauth_providers", oauthProvider, (record) => [record.provider_id]);
export type OAuthProviderRecord = RecordOf<typeof oauthProviders>;

const platformAgent = storedRecord.extend({
  agent_id: z.string(),
  name: z.string(),
  agent_type: z.string(),
  source_type: z.string(),
  owner_id: z.string().nullable(),
  environments: z.array(z.object({ id: z.string(), environment: z.string(), tracer_session_id: z.string() })),
});

/** The agents of the platform, whose own id is the record's; out of band they are found by the id that their program chose too. */
export const platformAgents = defineCollection("platform_agents", platformAgent, ({ agent_id: id }) => [id]);
export type PlatformAgentRecord = RecordOf<typeof platformAgents>;

const sandboxTemplate = storedRecord.extend({
  ...createSandboxTemplateBody.shape,
  /** A sandbox runs from it: DELETE answers Conflict. Set out of band. */
  in_use: z.boolean(),
  /** From an older version of the platform: answers have no id and no times. Set out of band, or by `oldTemplateRows`. */
  is_old_row: z.boolean().default(false),
});

/** The sandbox templates; out of band they are found by name too. */
export const sandboxTemplates = defineCollection("sandbox_templates", sandboxTemplate, (record) => [record.name]);
export type SandboxTemplateRecord = RecordOf<typeof sandboxTemplates>;

/** A snapshot as stored. Its status is not: it follows from the times and the clock. */
const sandboxSnapshot = storedRecord.extend({
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
export const sandboxSnapshots = defineCollection("sandbox_snapshots", sandboxSnapshot, ({ name, tags }) => [
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

/** The source_tarball_path by which a revision names an upload. */
export const tarballPathOf = ({ id }: Pick<StoredRecord, "id">): string => `uploads/${id}.tar.gz`;

/** Places for the source code that a client uploads, by their path. What is uploaded is not kept: nothing is built from it. */
export const uploads = defineCollection("uploads", storedRecord, (record) => [tarballPathOf(record)]);
