import { z } from "zod";
import { defaulting } from "../platform/nulls";
import { logOf, type RevisionLog } from "../platform/revision-log";
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

/** docs/internals/platform.md, Logs of a revision. The id of a project is that of its deployment. */
export const revisionLogRoutes: RouteFactory = ({ platform, responses: { pageSize } }) => {
  const { deployments, revisions, settings } = platform;
  const deploymentOf = ({ tenant, param, now }: ApiRequest) =>
    deployments.get(tenant.tenantId, param("deployment_id"), now);

  const answer = (request: ApiRequest, logs: readonly RevisionLog[]): Response => {
    const body = validated(logBody, request.json());
    const entries = logs.flatMap((log) => log.entries).filter((entry) => fits(entry, body));
    const ordered = body.order === "asc" ? entries : entries.reverse();
    const end = body.offset + Math.min(body.limit, pageSize);
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

  const project = "/v1/projects/:deployment_id";
  const revision = `${project}/revisions/:revision_id`;
  return [
    { method: "POST", path: `${revision}/build_logs`, contract: "extended", handle: ofRevision("build") },
    { method: "POST", path: `${revision}/deploy_logs`, contract: "extended", handle: ofRevision("deploy") },
    { method: "POST", path: `${project}/deploy_logs`, contract: "extended", handle: ofDeployment },
  ];
};

function fits({ level, message, timestamp }: RevisionLog["entries"][number], wanted: LogBody): boolean {
  const at = Date.parse(timestamp);
  if (wanted.level != null && level !== wanted.level.toUpperCase()) return false;
  if (wanted.query != null && !message.toLowerCase().includes(wanted.query.toLowerCase())) return false;
  if (wanted.start_time != null && at < Date.parse(wanted.start_time)) return false;
  return wanted.end_time == null || at <= Date.parse(wanted.end_time);
}
