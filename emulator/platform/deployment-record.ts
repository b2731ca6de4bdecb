import { z } from "zod";
import type { StoredRecord } from "../store/collection";
import { defineCollection, storedRecord } from "../store/define-collection";
import { agentEnvironment, secret, secretReference } from "./deployment-body";
import { defaulting } from "./nulls";

/** A variable of the environment. */
export interface Secret {
  name: string;
  value: string;
}

/** A variable whose value comes from a secret of the cluster. */
export interface SecretReference {
  name: string;
  secret_name: string;
  secret_key: string;
}

/** A deployment as stored, secrets with their values. */
export interface DeploymentRecord extends StoredRecord {
  name: string;
  /** The agent of the platform that it is the deployment of, if it was made as such; the platform then gave the name. */
  agent: { agent_id: string; environment: string } | null;
  source: string;
  /** Without resource_spec, which is kept as the server completed it. */
  source_config: Record<string, unknown>;
  /** Empty unless the source is external_docker. */
  resource_spec: Record<string, unknown>;
  source_revision_config: Record<string, unknown>;
  secrets: Secret[];
  secret_references: SecretReference[];
  display_name: string | null;
  /** Top-level fields that the emulator does not know: kept and returned as sent. */
  extra: Record<string, unknown>;
  /** Set by DELETE: until then it answers AWAITING_DELETE, afterwards it is gone. */
  deleted_at: string | null;
}

const fields = z.record(z.string(), z.unknown());

const recordSchema = storedRecord.extend({
  name: z.string(),
  agent: defaulting(agentEnvironment.nullable(), null),
  source: z.string(),
  source_config: fields,
  resource_spec: fields,
  source_revision_config: fields,
  secrets: z.array(secret),
  secret_references: defaulting(z.array(secretReference), []),
  display_name: z.string().nullable(),
  extra: fields,
  deleted_at: z.string().nullable(),
});

/** The deployments; out of band they are found by name too. */
export const deployments = defineCollection<DeploymentRecord>("deployments", recordSchema, (record) => [record.name]);
