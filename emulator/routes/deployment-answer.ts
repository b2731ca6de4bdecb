import { timestamp } from "../base/clock";
import { SOURCE_CONFIG_KEYS, SOURCE_REVISION_CONFIG_KEYS } from "../platform/deployment-body";
import type { DeploymentRecord } from "../platform/deployment-record";
import { allNull } from "../platform/nulls";
import { imageVersionOf, revisionConfigAnswer } from "../platform/revision-image";
import type { RevisionRecord } from "../platform/revision-record";
import type { RouteServices } from "./route";

const COMMANDS = ["install_command", "build_command"];

/** A deployment as the platform answers it (docs/internals/platform.md, Answers of a deployment). */
export function deploymentAnswer(
  services: RouteServices,
  record: DeploymentRecord,
  now: number,
): Record<string, unknown> {
  const { status, latest, latestRevisionId, active, updatedAt } = services.platform.deployments.status(record, now);
  const { id, tenant_id, name, display_name, source, secret_references, created_at } = record;
  return {
    // First, so that no unknown field can replace a field of the server.
    ...record.extra,
    ...{ id, tenant_id, name, display_name, source, secret_references, created_at },
    source_config: sourceConfig(services, record, active),
    source_revision_config:
      latest === undefined
        ? { ...allNull(SOURCE_REVISION_CONFIG_KEYS), ...record.source_revision_config }
        : revisionConfigAnswer(latest, now),
    secrets: latest === undefined ? [] : secrets(services, record),
    updated_at: timestamp(updatedAt),
    status,
    latest_revision_id: latestRevisionId,
    active_revision_id: active?.id ?? null,
    image_version: imageVersionOf(latest, now),
    is_managed_deep_agent: false,
  };
}

/** The deployment_type that answers name: where the request had none, it is prod. */
export const deploymentType = (record: DeploymentRecord): unknown => record.source_config["deployment_type"] ?? "prod";

/** The agent's address, once it answers. The emulator does not serve a custom URL that was declared. */
export const agentAddress = (
  { publicUrl }: RouteServices,
  { id, source_config: config }: DeploymentRecord,
  active: RevisionRecord | undefined,
): unknown => config["custom_url"] ?? (active ? `${publicUrl()}/agents/${id}` : null);

function sourceConfig(
  services: RouteServices,
  record: DeploymentRecord,
  active: RevisionRecord | undefined,
): Record<string, unknown> {
  const { source_config: config, resource_spec: spec, source_revision_config: revision } = record;
  const all = {
    ...allNull(SOURCE_CONFIG_KEYS),
    ...config,
    deployment_type: deploymentType(record),
    build_on_push: config["build_on_push"] ?? false,
    custom_url: agentAddress(services, record, active),
    resource_spec: Object.keys(spec).length === 0 ? null : spec,
    ...(record.source === "github" ? { repo_branch: revision["repo_ref"] ?? null } : {}),
  };
  const hidden = services.responses.hideCommands ? COMMANDS : [];
  return Object.fromEntries(Object.entries(all).filter(([name]) => !hidden.includes(name)));
}

function secrets({ responses }: RouteServices, record: DeploymentRecord): readonly object[] {
  return responses.secrets === "values" ? record.secrets : record.secrets.map(({ name }) => ({ name }));
}
