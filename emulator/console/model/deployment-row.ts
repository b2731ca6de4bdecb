import { z } from "zod";
import type { DeploymentRecord } from "../../platform/deployment-record";
import { historyOf, isFinished, progressOf, type RevisionRecord } from "../../platform/revision-record";
import { deploymentAnswer } from "../../routes/deployment-answer";
import type { RouteServices } from "../../routes/route";
import { toneOf } from "../format";
import type { DeploymentRow } from "../views";

const answered = z.object({
  status: z.string(),
  active_revision_id: z.string().nullable(),
  source_config: z.looseObject({ custom_url: z.unknown() }),
  source_revision_config: z.looseObject({ image_uri: z.unknown(), repo_commit_sha: z.unknown() }),
});

/** What the platform answers of a deployment, as far as pages show it. */
export const answerOf = (services: RouteServices, record: DeploymentRecord, now: number) =>
  answered.parse(deploymentAnswer(services, record, now));

/** What serves, in words. `revisions` are the visible ones, oldest first. */
function servingOf(
  record: DeploymentRecord,
  revisions: readonly RevisionRecord[],
  active: string | null,
  now: number,
): DeploymentRow["serving"] {
  const latest = revisions.at(-1);
  if (record.deleted_at !== null) return { text: "Being deleted", tone: "idle" };
  if (latest === undefined) return { text: "No revision yet", tone: "idle" };
  const { status } = progressOf(latest, now);
  const number = revisions.findIndex(({ id }) => id === active) + 1;
  if (number === 0)
    return { text: `No revision serves${isFinished(status) ? "" : " yet"}: ${status}`, tone: toneOf(status) };
  if (number === revisions.length) return { text: `Revision ${number} serves`, tone: "good" };
  return { text: `Revision ${number} serves; revision ${revisions.length}: ${status}`, tone: toneOf(status) };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

export function deploymentRow(services: RouteServices, record: DeploymentRecord, now: number): DeploymentRow {
  const answer = answerOf(services, record, now);
  const revisions = services.platform.revisions.of(record, now);
  return {
    id: record.id,
    name: record.name,
    displayName: record.display_name,
    source: record.source,
    status: answer.status,
    serving: servingOf(record, revisions, answer.active_revision_id, now),
    image: textOf(answer.source_revision_config.image_uri),
    commit: textOf(answer.source_revision_config.repo_commit_sha),
    address: textOf(answer.source_config.custom_url),
    tenant: record.tenant_id,
    revisions: revisions.length,
  };
}

/** When something about a deployment changes without a request. */
export function nextChangeOfDeployment(
  { platform: { revisions, settings } }: RouteServices,
  record: DeploymentRecord,
  now: number,
): number {
  // A newer revision ends the one before: only the latest are still under way.
  const latest = revisions.all(record).slice(-3);
  const moments = latest.flatMap((revision: RevisionRecord) => {
    const visible = Date.parse(revision.visible_from);
    return [
      ...(visible > now ? [visible] : []),
      historyOf(revision, Infinity).find(({ since }) => since > now)?.since ?? Infinity,
    ];
  });
  const gone = record.deleted_at === null ? Infinity : Date.parse(record.deleted_at) + settings.deleteMs;
  return Math.min(Infinity, gone, ...moments);
}
