import { timestamp } from "../base/clock";
import type { DeploymentRecord } from "../platform/deployment-record";
import { revisionConfigAnswer } from "../platform/revision-record";
import type { RouteServices } from "./route";

/** A deployment as the platform answers it (docs/platform.md, Answers of a deployment), and `url`, where its agent answers. */
export function deploymentAnswer(
  services: RouteServices,
  record: DeploymentRecord,
  now: number,
): Record<string, unknown> {
  const { echoSecretValues, hideCommands } = services.responses;
  const { status, latest, latestRevisionId, active, updatedAt } = services.platform.deployments.status(record, now);
  const hidden = new Set(["listener_config", ...(hideCommands ? ["install_command", "build_command"] : [])]);
  const config = Object.fromEntries(Object.entries(record.source_config).filter(([name]) => !hidden.has(name)));
  return {
    // First, so that no unknown field can hide one of the server's own.
    ...record.extra,
    id: record.id,
    tenant_id: record.tenant_id,
    name: record.name,
    display_name: record.display_name,
    source: record.source,
    source_config: { ...config, resource_spec: record.resource_spec },
    source_revision_config: latest ? revisionConfigAnswer(latest) : record.source_revision_config,
    secrets: record.secrets.map(({ name, value }) => (echoSecretValues ? { name, value } : { name })),
    secret_references: record.secret_references,
    created_at: record.created_at,
    updated_at: timestamp(updatedAt),
    status,
    latest_revision_id: latestRevisionId,
    active_revision_id: active?.id ?? null,
    image_version: null,
    url: active ? `${services.publicUrl()}/agents/${record.id}` : null,
  };
}
