import { z } from "zod";
import { storedRecord } from "../store/define-collection";
import { secret, secretReference } from "./deployment-body";

const fields = z.record(z.string(), z.unknown());

const settings = z.object({
  secrets: z.array(secret),
  secret_references: z.array(secretReference),
  resource_spec: fields,
  commands: fields,
});

/** How a revision ends (RevisionOutcome). */
export const revisionOutcome = z.enum(["DEPLOYED", "CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "STUCK"]);

/** Fits a RevisionRecord. */
export const revisionSchema = storedRecord.extend({
  deployment_id: z.string(),
  source: z.string(),
  source_revision_config: fields,
  commit: z.string().nullable().default(null),
  server_version: z.string().nullable().default(null),
  tracked_packages: z.array(z.string()).nullable().default(null),
  settings: settings.nullable().default(null),
  redeploy_of: z.string().nullable().default(null),
  outcome: revisionOutcome,
  build_ms: z.number(),
  superseded_at: z.string().nullable(),
  visible_from: z.string(),
  status_override: z.string().nullable(),
  by_command: z.boolean().default(false),
});
