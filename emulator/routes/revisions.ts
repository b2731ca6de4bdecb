import { notFound } from "../base/api-error";
import { timestamp } from "../base/clock";
import type { Call, Noun } from "./route";
import { queryInt } from "./validation";
import { DeploymentDesk } from "../platform/deployment-service";
import { progressOf, revisionConfigAnswer, type RevisionRecord } from "../platform/revision-record";

/** docs/platform.md, Revisions. No reason of a failure is given. */
function answer(record: RevisionRecord, now: number): Record<string, unknown> {
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
export const revisionRoutes: Noun = (services) => {
  const desk = new DeploymentDesk(services);
  const { freshRevision404Ms, pageSize } = services.settings;
  const history = (call: Call): readonly RevisionRecord[] =>
    desk.revisionsOf(desk.get(call.tenant.tenantId, call.param("deployment_id"), call.now), call.now);

  const list = (call: Call): Response => {
    const limit = queryInt(call.query("limit"), "limit", 1, 100, 20);
    const offset = queryInt(call.query("offset"), "offset", 0, Number.MAX_SAFE_INTEGER, 0);
    // Newest first: the latest revision is what a reader wants on page one.
    const page = [...history(call)].reverse().slice(offset, offset + Math.min(limit, pageSize));
    return Response.json({
      resources: page.map((record) => answer(record, call.now)),
      offset: offset + page.length,
    });
  };
  const read = (call: Call): Response => {
    const wanted = call.param("revision_id");
    const found = history(call).find((record) => record.id === wanted);
    const isKnown = found !== undefined && call.now >= Date.parse(found.visible_from) + freshRevision404Ms;
    if (!isKnown) throw notFound(`Revision ${wanted}`);
    return Response.json(answer(found, call.now));
  };

  const all = "/v2/deployments/:deployment_id/revisions";
  return [
    { method: "GET", path: all, contract: "extended", handle: list },
    { method: "GET", path: `${all}/:revision_id`, contract: "documented", handle: read },
  ];
};
