import { z } from "zod";
import type { RecordOf } from "../store/collection";
import { defineCollection, fields, storedRecord } from "../store/define-collection";
import { secret, secretReference } from "./deployment-body";
import { defaulting } from "./nulls";

/** A deployment as stored, secrets with their values. */
const recordSchema = storedRecord.extend({
  name: z.string(),
  /** The agent of the platform that it is the deployment of, if it was made as such; the platform then gave the name. */
  agent: defaulting(z.object({ agent_id: z.string(), environment: z.string() }).nullable(), null),
  source: z.string(),
  /** Without resource_spec, which is kept as the server completed it. */
  source_config: fields,
  /** Empty unless the source is external_docker. */
  resource_spec: fields,
  source_revision_config: fields,
  secrets: z.array(secret),
  secret_references: defaulting(z.array(secretReference), []),
  display_name: z.string().nullable(),
  /** Top-level fields that the emulator does not know: kept and returned as sent. */
  extra: fields,
  /** Set by DELETE: until then it answers AWAITING_DELETE, afterwards it is gone. */
  deleted_at: z.string().nullable(),
});

/** The deployments; out of band they are found by name too. */
export const deployments = defineCollection("deployments", recordSchema, (record) => [record.name]);
export type DeploymentRecord = RecordOf<typeof deployments>;
