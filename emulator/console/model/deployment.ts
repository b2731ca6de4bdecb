import type { DeploymentRecord } from "../../platform/deployment-record";
import { imageOf } from "../../platform/revision-image";
import { logOf } from "../../platform/revision-log";
import { progressOf, type RevisionRecord } from "../../platform/revision-record";
import type { ShownPage } from "../live";
import type { ConsoleParts } from "../parts";
import type { DeploymentView, ShownLine, RevisionRow } from "../views";
import { answerOf, deploymentRow, nextChangeOfDeployment } from "./deployment-row";
import type { Query } from "./paging";
import { barOf, tookOf } from "./revision-bars";
import { settingRowsOf } from "./settings";
import { switchedOn } from "./switched-on";

/** Revisions on the page of a deployment, those with their logs, and lines of a log. */
const SHOWN = { revisions: 20, logs: 5, lines: 100, builds: 50 } as const;

/** The page of one deployment. */
export function deploymentPage(
  parts: ConsoleParts,
  record: DeploymentRecord,
  query: Query,
): ShownPage & { readonly view: DeploymentView } {
  const { services, clock } = parts;
  const now = clock.now();
  const { active_revision_id: active, status } = answerOf(services, record, now);
  const revisions = services.platform.revisions.of(record, now);
  const serves = revisions.findIndex(({ id }) => id === active);
  const rowOf = (revision: RevisionRecord, index: number): RevisionRow => ({
    ...barOf(revision, index + 1, now),
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
    rolledBackTo: query("done") === "rolled-back" ? query("revision") : undefined,
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
    builds: revisions
      .map((revision, index) => ({ revision, number: index + 1, ms: tookOf(revision, now) }))
      .slice(-SHOWN.builds)
      .flatMap(({ revision, number, ms }) =>
        ms === undefined ? [] : [{ number, ms, status: progressOf(revision, now).status }],
      ),
  };
  return { view, nextAt: Math.min(nextChangeOfDeployment(services, record, now), nextLogLine(revisions, now)) };
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

/** Lines of a log come between the statuses: while a revision is under way, the page looks again now and then. */
function nextLogLine(revisions: readonly RevisionRecord[], now: number): number {
  const latest = revisions.at(-1);
  return latest === undefined || tookOf(latest, now) !== undefined ? Infinity : now + 250;
}
