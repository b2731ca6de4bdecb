import { createRevisionBody } from "../platform/deployment-body";
import { progressOf, type RevisionRecord } from "../platform/revision-record";
import { deploymentAnswer } from "./deployment-answer";
import { changeBody } from "./deployments";
import { pageAnswer, RESOURCE_PAGES } from "./pages";
import type { ApiRequest, RouteFactory } from "./route";
import { timestamp } from "../base/clock";
import { revisionConfigAnswer } from "../platform/revision-image";

/** docs/internals/platform.md, Revisions. */
export const revisionRoutes: RouteFactory = (services) => {
  const { deployments, revisions } = services.platform;
  const deploymentOf = ({ tenant, param, now }: ApiRequest) =>
    deployments.get(tenant.tenantId, param("deployment_id"), now);

  const list = (request: ApiRequest): Response => {
    const { now } = request;
    const statuses = request.queryList("status") ?? [];
    // Newest first, so that page one has the latest revision.
    const newestFirst = revisions
      .of(deploymentOf(request), now)
      .filter((record) => statuses.length === 0 || statuses.includes(progressOf(record, now).status))
      .reverse();
    return pageAnswer(request, services.responses, RESOURCE_PAGES, newestFirst, (record) =>
      revisionAnswer(record, now),
    );
  };
  const read = (request: ApiRequest): Response => {
    const record = revisions.get(deploymentOf(request), request.param("revision_id"), request.now);
    return Response.json(revisionAnswer(record, request.now));
  };
  const create = (request: ApiRequest): Response => {
    const record = deployments.revise(deploymentOf(request), changeBody(createRevisionBody, request), request.now);
    return Response.json(revisionAnswer(record, request.now), { status: 201 });
  };
  const redeploy = (request: ApiRequest): Response => {
    const { now } = request;
    const deployment = deploymentOf(request);
    const again = revisions.get(deployment, request.param("revision_id"), now);
    return Response.json(deploymentAnswer(services, deployments.redeploy(deployment, again, now), now));
  };

  const all = "/v2/deployments/:deployment_id/revisions";
  return [
    { method: "POST", path: all, contract: "extended", handle: create },
    { method: "GET", path: all, contract: "extended", handle: list },
    { method: "GET", path: `${all}/:revision_id`, contract: "documented", handle: read },
    { method: "POST", path: `${all}/:revision_id/redeploy`, contract: "extended", handle: redeploy },
  ];
};

/** A revision as the platform answers it (docs/internals/platform.md, Revisions). No reason of a failure is given. */
function revisionAnswer(record: RevisionRecord, now: number): Record<string, unknown> {
  const { status, since } = progressOf(record, now);
  const config = { tracked_packages: record.tracked_packages, ...revisionConfigAnswer(record, now) };
  return {
    id: record.id,
    created_at: record.created_at,
    updated_at: timestamp(since),
    status,
    source: record.source,
    source_revision_config: config,
    deepagents_version: null,
  };
}
