import { z } from "zod";
import { withoutNulls } from "./nulls";
import { resourceSpec } from "./resource-spec";

/** docs/internals/platform.md, source_config: what a request may send. */
const sourceConfig = z.looseObject({
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

/** The keys of source_config, all of which are in each answer. */
export const SOURCE_CONFIG_KEYS: readonly string[] = Object.keys(sourceConfig.shape);

/** docs/internals/platform.md, source_revision_config. */
const sourceRevisionConfig = z.looseObject({
  repo_ref: z.string().nullish(),
  langgraph_config_path: z.string().nullish(),
  image_uri: z.string().nullish(),
  source_tarball_path: z.string().nullish(),
});

/** The keys of source_revision_config, all of which are in each answer. */
export const SOURCE_REVISION_CONFIG_KEYS: readonly string[] = [
  ...Object.keys(sourceRevisionConfig.shape),
  "repo_commit_sha",
];

export const secret = z.object({ name: z.string().min(1), value: z.string() });
export const secretReference = z.object({ name: z.string(), secret_name: z.string(), secret_key: z.string() });

/** POST /v2/deployments. A display_name is not among its fields: it is lost. */
export const createDeploymentBody = z.looseObject({
  name: z.string().min(1).optional(),
  /** In place of a name: an environment of an agent of the platform (docs/internals/platform.md, Agents). */
  agent: z.object({ agent_id: z.string(), environment: z.enum(["development", "staging", "production"]) }).optional(),
  source: z.string().min(1),
  source_config: sourceConfig,
  source_revision_config: sourceRevisionConfig,
  secrets: z.array(secret),
  secret_references: z.array(secretReference).nullish(),
});
export type CreateDeploymentBody = z.infer<typeof createDeploymentBody>;

/** POST /v2/deployments/{deployment_id}/revisions. */
export const createRevisionBody = z.looseObject({
  source_config: sourceConfig.nullish(),
  source_revision_config: sourceRevisionConfig.nullish(),
  secrets: z.array(secret).nullish(),
  secret_references: z.array(secretReference).nullish(),
});
export type CreateRevisionBody = z.infer<typeof createRevisionBody>;

/** PATCH /v2/deployments/{deployment_id}. */
export const patchDeploymentBody = createRevisionBody.extend({
  display_name: z.string().min(1).nullish(),
  revision_source: z.string().min(1).nullish(),
  tracked_packages: z.array(z.string()).nullish(),
});
export type PatchDeploymentBody = z.infer<typeof patchDeploymentBody>;

/** Fields that no change can change (docs/internals/platform.md, source_config): they need a replacement. */
export const FIXED_DEPLOYMENT_FIELDS = ["name", "source"];
export const FIXED_SOURCE_CONFIG_FIELDS = [
  "integration_id",
  "repo_url",
  "deployment_type",
  "listener_id",
  "listener_config",
  "template_id",
];

const KNOWN_FIELDS = new Set([...Object.keys(createDeploymentBody.shape), ...Object.keys(patchDeploymentBody.shape)]);

/** Top-level fields of a body that the emulator does not know. */
export function unknownFields(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(withoutNulls(body)).filter(([name]) => !KNOWN_FIELDS.has(name)));
}
