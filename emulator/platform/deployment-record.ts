import { z } from "zod";
import { defineCollection, storedRecord } from "../store/collection";
import { secret, secretReference } from "./deployment-body";

const fields = z.record(z.string(), z.unknown());

const recordSchema = storedRecord.extend({
  name: z.string(),
  source: z.string(),
  /** Without resource_spec, which is kept as the server completed it. */
  source_config: fields,
  /** Empty unless the source is external_docker. */
  resource_spec: fields,
  source_revision_config: fields,
  secrets: z.array(secret),
  secret_references: z
    .array(secretReference)
    .nullable()
    .transform((references) => references ?? []),
  display_name: z.string().nullable(),
  /** Top-level fields that the emulator does not know: kept and returned as sent. */
  extra: fields,
  /** Set by DELETE: until then it answers AWAITING_DELETE, afterwards it is gone. */
  deleted_at: z.string().nullable(),
});

/** A deployment as stored, secrets with their values. */
export type DeploymentRecord = z.infer<typeof recordSchema>;

/** The deployments; out of band they are found by name too. */
export const deployments = defineCollection("deployments", recordSchema, (record) => [record.name]);
