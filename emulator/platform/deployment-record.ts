import { z } from "zod";
import { defineCollection, storedRecord } from "../store/store";

/** docs/platform.md, resource_spec. Fields that the platform may grow pass through. */
export const resourceSpec = z.looseObject({
  min_scale: z.number().nullish(),
  max_scale: z.number().nullish(),
  cpu: z.number().nullish(),
  cpu_limit: z.number().nullish(),
  memory_mb: z.number().nullish(),
  memory_limit_mb: z.number().nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  annotations: z.record(z.string(), z.string()).nullish(),
  service_account_name: z.string().nullish(),
});

/** docs/platform.md, source_config: at creation. */
export const sourceConfig = z.looseObject({
  integration_id: z.string().nullish(),
  repo_url: z.string().nullish(),
  deployment_type: z.string().nullish(),
  build_on_push: z.boolean().nullish(),
  custom_url: z.string().nullish(),
  resource_spec: resourceSpec.nullish(),
  listener_id: z.string().nullish(),
  listener_config: z.looseObject({ k8s_namespace: z.string().nullish() }).nullish(),
  install_command: z.string().nullish(),
  build_command: z.string().nullish(),
  template_id: z.string().nullish(),
});

/** docs/platform.md, source_revision_config. */
export const sourceRevisionConfig = z.looseObject({
  repo_ref: z.string().nullish(),
  langgraph_config_path: z.string().nullish(),
  image_uri: z.string().nullish(),
  source_tarball_path: z.string().nullish(),
});

export const secret = z.object({ name: z.string().min(1), value: z.string() });
const secretReference = z.object({ name: z.string(), secret_name: z.string(), secret_key: z.string() });

/** POST /v2/deployments. */
export const createBody = z.looseObject({
  name: z.string().min(1),
  source: z.string().min(1),
  source_config: sourceConfig,
  source_revision_config: sourceRevisionConfig,
  secrets: z.array(secret).nullish(),
  secret_references: z.array(secretReference).nullish(),
  display_name: z.string().nullish(),
});

/** PATCH /v2/deployments/{deployment_id}. */
export const patchBody = z.looseObject({
  source_config: sourceConfig.nullish(),
  source_revision_config: sourceRevisionConfig.nullish(),
  secrets: z.array(secret).nullish(),
  secret_references: z.array(secretReference).nullish(),
  display_name: z.string().nullish(),
});

/** What a PATCH cannot change (docs/platform.md, source_config): a change needs a replacement. */
export const fixedFields = ["name", "source"];
export const fixedSourceConfigFields = [
  "integration_id",
  "repo_url",
  "deployment_type",
  "listener_id",
  "listener_config",
  "template_id",
];

const fields = z.record(z.string(), z.unknown());

const recordSchema = storedRecord.extend({
  name: z.string(),
  source: z.string(),
  /** Without resource_spec, which is kept as the server completed it. */
  source_config: fields,
  resource_spec: fields,
  source_revision_config: fields,
  secrets: z.array(secret),
  secret_references: z.array(secretReference).nullable(),
  display_name: z.string().nullable(),
  /** Top-level fields that the emulator does not know: kept and answered as they came. */
  extra: fields,
  /** Set by DELETE: until then it answers AWAITING_DELETE, afterwards it is gone. */
  deleted_at: z.string().nullable(),
});

/** A deployment as stored, secrets with their values. */
export type DeploymentRecord = z.infer<typeof recordSchema>;

/** The deployments; out of band they are found by name too. */
export const deployments = defineCollection("deployments", recordSchema, (record) => [record.name]);

/** A resource_spec as the platform answers it: what was sent, over the server's defaults for the deployment type. */
export function completeResourceSpec(
  sent: Readonly<Record<string, unknown>> | null | undefined,
  deploymentType: unknown,
): Record<string, unknown> {
  const production = deploymentType === "prod";
  return {
    min_scale: 1,
    max_scale: production ? 10 : 1,
    cpu: production ? 2 : 1,
    cpu_limit: null,
    memory_mb: production ? 2048 : 1024,
    memory_limit_mb: null,
    labels: {},
    annotations: {},
    service_account_name: null,
    ...withoutNulls(sent ?? {}),
  };
}

/** null means "not sent" to the platform: it clears nothing. */
export function withoutNulls(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null && item !== undefined));
}
