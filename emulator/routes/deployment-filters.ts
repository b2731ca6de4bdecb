import type { DeploymentRecord } from "../platform/deployment-record";
import { deploymentType, imageVersion } from "./deployment-answer";
import type { ApiRequest, RouteServices } from "./route";
import { queryBoolean } from "./validation";

/** The filters in a query of GET /v2/deployments (docs/internals/platform.md, Lists): a deployment has to pass all of them. */
export function deploymentFilter(
  { platform, responses }: RouteServices,
  { query, queryList, now }: ApiRequest,
): (deployment: DeploymentRecord) => boolean {
  const ids = setOf(queryList("deployment_ids"));
  const statuses = setOf(queryList("status"));
  // An empty filter counts as not set, because clients send one for filters that they do not use.
  const given = (filter: string) => (query(filter) === "" ? undefined : query(filter));
  const [name, part] = [given("name"), given("name_contains")];
  const [type, version] = [given("deployment_type"), given("image_version")];
  const [agent, environment] = ["agent_id", "agent_environment"].map((filter) =>
    responses.agentFilters ? given(filter) : undefined,
  );
  const remote = queryBoolean(given("remote_reconciled"), "remote_reconciled");
  // No deployment of the emulator has tags.
  const noTags = (queryList("tag_value_ids") ?? []).length === 0;
  return (deployment) => {
    if (!noTags || (ids !== undefined && !ids.has(deployment.id))) return false;
    if (name !== undefined && deployment.name !== name) return false;
    if (part !== undefined && !deployment.name.includes(part)) return false;
    if (agent !== undefined && deployment.agent?.agent_id !== agent) return false;
    if (environment !== undefined && deployment.agent?.environment !== environment) return false;
    // Reconciled by a listener in a cluster of the user's own, and not by the cloud.
    if (remote !== undefined && (deployment.source === "external_docker") !== remote) return false;
    if (type !== undefined && deploymentType(deployment) !== type) return false;
    // Only where it is asked for: it looks at revisions.
    if (statuses === undefined && version === undefined) return true;
    const { status, latest } = platform.deployments.status(deployment, now);
    if (statuses !== undefined && !statuses.has(status)) return false;
    return version === undefined || imageVersion(latest, now) === version;
  };
}

/** undefined where nothing is given. */
function setOf(values: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return values === undefined || values.length === 0 ? undefined : new Set(values);
}
