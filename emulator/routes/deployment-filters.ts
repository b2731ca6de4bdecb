import type { ApiRequest } from "./route";
import { queryBoolean } from "./validation";

/** The fields of an answer that a list is filtered by. */
export interface Filtered {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  /** Called only where a filter needs it: it looks at revisions. */
  answered(): { readonly status: string; readonly deploymentType: unknown; readonly imageVersion: string | null };
}

/** The filters in a query of GET /v2/deployments (docs/internals/platform.md, Lists): an item has to pass all of them. */
export function deploymentFilter({ query, queryList }: ApiRequest): (item: Filtered) => boolean {
  const ids = setOf(queryList("deployment_ids"));
  const statuses = setOf(queryList("status"));
  // An empty filter counts as not set, because clients send one for filters that they do not use.
  const given = (filter: string) => (query(filter) === "" ? undefined : query(filter));
  const [name, part] = [given("name"), given("name_contains")];
  const [type, version] = [given("deployment_type"), given("image_version")];
  const remote = queryBoolean(given("remote_reconciled"), "remote_reconciled");
  // No deployment of the emulator has tags.
  const noTags = (queryList("tag_value_ids") ?? []).length === 0;
  const looksInside = statuses !== undefined || type !== undefined || version !== undefined;
  return (item) => {
    if (!noTags || (ids !== undefined && !ids.has(item.id))) return false;
    if (name !== undefined && item.name !== name) return false;
    if (part !== undefined && !item.name.includes(part)) return false;
    // Reconciled by a listener in a cluster of the user's own, and not by the cloud.
    if (remote !== undefined && (item.source === "external_docker") !== remote) return false;
    if (!looksInside) return true;
    const { status, deploymentType, imageVersion } = item.answered();
    if (statuses !== undefined && !statuses.has(status)) return false;
    if (type !== undefined && deploymentType !== type) return false;
    return version === undefined || imageVersion === version;
  };
}

/** undefined where nothing is given. */
function setOf(values: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return values === undefined || values.length === 0 ? undefined : new Set(values);
}
