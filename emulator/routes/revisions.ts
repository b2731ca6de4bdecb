import { timestamp } from "../base/clock";
import { progressOf, revisionConfigAnswer, type RevisionRecord } from "../platform/revision-record";
import type { ApiRequest, RouteFactory } from "./route";
import { queryInt } from "./validation";

/** docs/platform.md, Revisions. No reason for a failure is given. */
function responseBody(record: RevisionRecord, now: number): Record<string, unknown> {
  const { status, since } = progressOf(record, now);
  return {
    id: record.id,
    created_at: record.created_at,
    updated_at: timestamp(since),
    status,
    source: record.source,
    source_revision_config: revisionConfigAnswer(record),
  };
}

/** docs/platform.md, Revisions. */
export const revisionRoutes: RouteFactory = ({ platform: { deployments }, responses: { pageSize } }) => {
  const deploymentOf = ({ tenant, param, now }: ApiRequest) =>
    deployments.get(tenant.tenantId, param("deployment_id"), now);

  const list = (request: ApiRequest): Response => {
    const limit = queryInt(request.query("limit"), "limit", 1, 100, 20);
    const offset = queryInt(request.query("offset"), "offset", 0, Number.MAX_SAFE_INTEGER, 0);
    const { now } = request;
    // Newest first, so that page one has the latest revision.
    const newestFirst = [...deployments.revisionsOf(deploymentOf(request), now)].reverse();
    const page = newestFirst.slice(offset, offset + Math.min(limit, pageSize));
    return Response.json({ resources: page.map((record) => responseBody(record, now)), offset: offset + page.length });
  };
  const read = (request: ApiRequest): Response => {
    const record = deployments.revision(deploymentOf(request), request.param("revision_id"), request.now);
    return Response.json(responseBody(record, request.now));
  };

  const all = "/v2/deployments/:deployment_id/revisions";
  return [
    { method: "GET", path: all, contract: "extended", handle: list },
    { method: "GET", path: `${all}/:revision_id`, contract: "documented", handle: read },
  ];
};
