import type { DeploymentRecord } from "../../platform/deployment-record";
import { imageOf } from "../../platform/revision-image";
import { logOf } from "../../platform/revision-log";
import { historyOf, isFinished, progressOf, type RevisionRecord } from "../../platform/revision-record";
import { shortDuration } from "../format";
import type { ShownPage } from "../live";
import type { ConsoleParts } from "../parts";
import type { DeploymentView, ShownLine, RevisionRow } from "../views";
import { settingRowsOf } from "./object";
import { answerOf, deploymentRow, nextChangeOfDeployment } from "./deployment-row";
import { switchedOn } from "./switched-on";

/** Revisions on the page of a deployment, those with their logs, and lines of a log. */
const SHOWN = { revisions: 20, logs: 5, lines: 100 } as const;

/** The page of one deployment. */
export function deploymentPage(
  parts: ConsoleParts,
  record: DeploymentRecord,
): ShownPage & { readonly view: DeploymentView } {
  const { services, clock } = parts;
  const now = clock.now();
  const { active_revision_id: active, status } = answerOf(services, record, now);
  const revisions = services.platform.revisions.of(record, now);
  const serves = revisions.findIndex(({ id }) => id === active);
  const rowOf = (revision: RevisionRecord, index: number): RevisionRow => ({
    id: revision.id,
    number: index + 1,
    status: progressOf(revision, now).status,
    times: timesOf(revision, now),
    again: revisions.findIndex(({ id }) => id === revision.redeploy_of) + 1 || undefined,
    hasFailed: index > serves && progressOf(revision, now).status.endsWith("_FAILED"),
    canComeBack:
      index < revisions.length - 1 && progressOf(revision, now).status === "DEPLOYED" && record.deleted_at === null,
    createdAt: Date.parse(revision.created_at),
    image: imageOf(revision, now),
    commit: revision.commit,
    isActive: revision.id === active,
    log: index < revisions.length - SHOWN.logs ? [] : logLines(parts, revision, record, now),
  });
  const first = Math.max(0, revisions.length - SHOWN.revisions);
  const view: DeploymentView = {
    kind: "deployment",
    switchedOn: switchedOn(parts),
    deployment: deploymentRow(services, record, now),
    settings: [
      ...settingRowsOf({ status, source: record.source, display_name: record.display_name }),
      ...settingRowsOf(record.source_config, "source_config."),
      ...settingRowsOf(record.resource_spec, "source_config.resource_spec."),
      ...settingRowsOf(record.source_revision_config, "source_revision_config."),
      ...Object.keys(record.extra).map((path) => ({ path, value: "(set)" })),
    ],
    variables: [
      ...record.secrets.map(({ name }) => ({ name, from: "a value (not shown)" })),
      ...record.secret_references.map(({ name, secret_name: secret, secret_key: key }) => ({
        name,
        from: `key ${key} of the cluster's secret ${secret}`,
      })),
    ],
    history: revisions
      .slice(first)
      .map((revision, index) => rowOf(revision, first + index))
      .reverse(),
  };
  return { view, nextAt: Math.min(nextChangeOfDeployment(services, record, now), nextTick(revisions, now)) };
}

function logLines(parts: ConsoleParts, revision: RevisionRecord, record: DeploymentRecord, now: number): ShownLine[] {
  const { settings } = parts.services.platform;
  const entries = (["build", "deploy"] as const).flatMap(
    (kind) => logOf(kind, revision, record, settings, now).entries,
  );
  return entries.slice(-SHOWN.lines).map(({ id, timestamp: at, level, message }) => ({
    id,
    at: Date.parse(at),
    level,
    message,
  }));
}

/** "CREATING 5.0 s, QUEUED 10 s": the end of a finished one takes no time. */
function timesOf(revision: RevisionRecord, now: number): string {
  const history = historyOf(revision, now);
  const times = history.flatMap(({ status, since }, index) =>
    isFinished(status) ? [] : [`${status} ${shortDuration((history[index + 1]?.since ?? now) - since)}`],
  );
  return times.length === 0 ? "it ended at once" : times.join(", ");
}

/** Times grow and lines of a log come between the statuses: while a revision is under way, the page looks again now and then. */
function nextTick(revisions: readonly RevisionRecord[], now: number): number {
  const latest = revisions.at(-1);
  return latest === undefined || isFinished(progressOf(latest, now).status) ? Infinity : now + 250;
}
