import { z } from "zod";
import { timestamp } from "../base/clock";
import { createRevisionBody } from "../platform/deployment-body";
import { defaulting } from "../platform/nulls";
import { revisionConfigAnswer } from "../platform/revision-image";
import { logOf, type RevisionLog } from "../platform/revision-log";
import { progressOf, type RevisionRecord } from "../platform/revision-record";
import { deploymentAnswer } from "./deployment-answer";
import { changeBody } from "./deployments";
import { pageAnswer, RESOURCE_PAGES } from "./pages";
import type { ApiRequest, RouteFactory } from "./route";
import { validated } from "./validation";

const logBody = z.object({
  order: z.enum(["asc", "desc"]).default("desc"),
  limit: z.int().min(1).default(100),
  /** The next_offset of the page before. */
  offset: defaulting(z.union([z.string().regex(/^\d+$/).transform(Number), z.int().min(0)]), 0),
  level: z.string().nullish(),
  query: z.string().nullish(),
  start_time: z.iso.datetime({ offset: true }).nullish(),
  end_time: z.iso.datetime({ offset: true }).nullish(),
});
type LogBody = z.infer<typeof logBody>;

/** docs/internals/platform.md, Revisions; and Logs of a revision, where the id of a project is that of its deployment. */
export const revisionRoutes: RouteFactory = (services) => {
  const { deployments, revisions, settings } = services.platform;
  const deploymentOf = ({ tenant, param, now }: ApiRequest) =>
    deployments.get(tenant.tenantId, param("deployment_id"), now);

  const list = (request: ApiRequest): Response => {
    const { now } = request;
    const statuses = request.queryList("status");
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

  const answer = (request: ApiRequest, logs: readonly RevisionLog[]): Response => {
    const body = validated(logBody, request.json());
    const all = logs.flatMap((log) => log.entries).filter((entry) => fits(entry, body));
    const entries = all.sort((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp));
    const ordered = body.order === "asc" ? entries : entries.reverse();
    const end = body.offset + Math.min(body.limit, services.responses.pageSize);
    const page = ordered.slice(body.offset, end);
    // In ascending order the next lines follow where these end, also those that are not written yet.
    const isMore = end < ordered.length || (body.order === "asc" && logs.some(({ isGrowing }) => isGrowing));
    return Response.json({ logs: page, next_offset: isMore ? String(body.offset + page.length) : null });
  };

  const ofRevision = (kind: "build" | "deploy") => (request: ApiRequest) => {
    const deployment = deploymentOf(request);
    const revision = revisions.get(deployment, request.param("revision_id"), request.now);
    return answer(request, [logOf(kind, revision, deployment, settings, request.now)]);
  };
  const ofDeployment = (request: ApiRequest) => {
    const deployment = deploymentOf(request);
    const all = revisions.of(deployment, request.now);
    return answer(
      request,
      all.map((revision) => logOf("deploy", revision, deployment, settings, request.now)),
    );
  };

  const all = "/v2/deployments/:deployment_id/revisions";
  const project = "/v1/projects/:deployment_id";
  const revision = `${project}/revisions/:revision_id`;
  return [
    { method: "POST", path: all, contract: "extended", handle: create },
    { method: "GET", path: all, contract: "extended", handle: list },
    { method: "GET", path: `${all}/:revision_id`, contract: "documented", handle: read },
    { method: "POST", path: `${all}/:revision_id/redeploy`, contract: "extended", handle: redeploy },
    { method: "POST", path: `${revision}/build_logs`, contract: "extended", handle: ofRevision("build") },
    { method: "POST", path: `${revision}/deploy_logs`, contract: "extended", handle: ofRevision("deploy") },
    { method: "POST", path: `${project}/deploy_logs`, contract: "extended", handle: ofDeployment },
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

function fits({ level, message, timestamp: time }: RevisionLog["entries"][number], wanted: LogBody): boolean {
  const at = Date.parse(time);
  if (wanted.level != null && level !== wanted.level.toUpperCase()) return false;
  if (wanted.query != null && !message.toLowerCase().includes(wanted.query.toLowerCase())) return false;
  if (wanted.start_time != null && at < Date.parse(wanted.start_time)) return false;
  return wanted.end_time == null || at <= Date.parse(wanted.end_time);
}
