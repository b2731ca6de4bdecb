import { z } from "zod";
import { fields, storedRecord } from "../store/define-collection";
import { secret, secretReference } from "./deployment-body";

/** What a revision runs with, beside its source_revision_config: a redeploy brings it back. */
const settings = z.object({
  secrets: z.array(secret),
  secret_references: z.array(secretReference),
  resource_spec: fields,
  /** install_command and build_command, where they were set. */
  commands: fields,
});

/** How a revision ends (RevisionOutcome). */
export const revisionOutcome = z.enum(["DEPLOYED", "CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "STUCK"]);

/** A revision as stored. Its status is not: it follows from the times and the clock. */
export const revisionSchema = storedRecord.extend({
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
