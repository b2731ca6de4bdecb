import { z } from "zod";
import type { DeploymentRecord } from "../../platform/deployment-record";
import { imageOf } from "../../platform/revision-image";
import { logOf } from "../../platform/revision-log";
import { historyOf, isFinished, progressOf, type RevisionRecord } from "../../platform/revision-record";
import { deploymentAnswer } from "../../routes/deployment-answer";
import { shortDuration, toneOf } from "../format";
import type { ConsoleParts } from "../parts";
import type { ObjectView, RevisionProgress, RevisionRow, RevisionVariables, WhatServes, ShownLine } from "../views";

/** Revisions on the page of a deployment, and lines of a log. */
const SHOWN = { revisions: 10, lines: 100 } as const;

const text = z.string().nullable().catch(null);
const answered = z.object({
  status: z.string(),
  active_revision_id: z.string().nullable(),
  source_config: z.looseObject({ custom_url: text }),
  source_revision_config: z.looseObject({ image_uri: text, repo_commit_sha: text }),
});

/** What a deployment is now: what serves, what the platform answers of it, what it runs, and where. */
export function deploymentNow({ services, clock }: ConsoleParts, record: DeploymentRecord) {
  const now = clock.now();
  const { status, active_revision_id: active, ...answer } = answered.parse(deploymentAnswer(services, record, now));
  const { image_uri: image, repo_commit_sha: commit } = answer.source_revision_config;
  const revisions = services.platform.revisions.of(record, now);
  const serving = servingOf(record, revisions, active, now);
  return {
    status,
    active,
    serving,
    silence: active === null || record.deleted_at !== null ? serving.text : undefined,
    runs: commit === null ? (image ?? "none") : `commit ${commit}`,
    address: answer.source_config.custom_url ?? "none",
    progress: revisionProgress(revisions, now),
  };
}

/** How far the latest revision has come; undefined as long as there is nothing to compare. */
function revisionProgress(revisions: readonly RevisionRecord[], now: number): RevisionProgress | undefined {
  const latest = revisions.at(-1);
  const history = latest === undefined ? [] : historyOf(latest, now);
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined || first.since === last.since) return undefined;
  const { status, since } = last;
  const hasEnded = isFinished(status);
  return {
    text: `revision ${revisions.length}: ${status}`,
    tone: toneOf(status),
    reached: status === "DEPLOYED" ? 7 : history.length - (hasEnded ? 1 : 0),
    took: hasEnded ? shortDuration(since - first.since) : "",
  };
}

/** What serves, in words. `revisions` are the visible ones, oldest first. */
function servingOf(
  record: DeploymentRecord,
  revisions: readonly RevisionRecord[],
  active: string | null,
  now: number,
): WhatServes {
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

/** The latest revisions of a deployment, newest first, with their logs. */
export function revisionsOf(
  parts: ConsoleParts,
  record: DeploymentRecord,
  active: string | null,
): Pick<ObjectView, "revisions" | "made"> {
  const now = parts.clock.now();
  const all = parts.services.platform.revisions.of(record, now);
  const serves = all.findIndex(({ id }) => id === active);
  const rowOf = (revision: RevisionRecord, index: number): RevisionRow => {
    const { status } = progressOf(revision, now);
    return {
      id: revision.id,
      number: index + 1,
      status,
      times: timesOf(revision, now),
      again: all.findIndex(({ id }) => id === revision.redeploy_of) + 1 || undefined,
      createdAt: Date.parse(revision.created_at),
      image: imageOf(revision, now),
      commit: revision.commit,
      isActive: revision.id === active,
      hasFailed: index > serves && status.endsWith("_FAILED"),
      comesBack:
        index < all.length - 1 && status === "DEPLOYED" && revision.id !== active && record.deleted_at === null
          ? variablesOf(revision, record)
          : undefined,
      log: logLines(parts, revision, record, now),
    };
  };
  const first = Math.max(0, all.length - SHOWN.revisions);
  const revisions = all.slice(first).map((revision, index) => rowOf(revision, first + index));
  return { revisions: revisions.reverse(), made: all.length };
}

function variablesOf({ settings }: RevisionRecord, record: DeploymentRecord): RevisionVariables {
  const all = (each: Pick<DeploymentRecord, "secrets" | "secret_references">) => [
    ...each.secrets,
    ...each.secret_references,
  ];
  const [then, today] = [settings === null ? [] : all(settings), all(record).map((each) => JSON.stringify(each))];
  const changed = then.filter((each) => !today.includes(JSON.stringify(each)));
  return { names: then.map(({ name }) => name), changed: changed.map(({ name }) => name) };
}

/** Its lines and its end, in the order in which they came. */
function logLines(parts: ConsoleParts, revision: RevisionRecord, record: DeploymentRecord, now: number): ShownLine[] {
  const { settings } = parts.services.platform;
  const entries = (["build", "deploy"] as const).flatMap(
    (kind) => logOf(kind, revision, record, settings, now).entries,
  );
  const lines = entries.map(({ timestamp, ...entry }) => ({ ...entry, at: Date.parse(timestamp) }));
  const { status, since } = progressOf(revision, now);
  const end = isFinished(status) ? [{ id: revision.id, at: since, level: status, message: "" }] : [];
  return [...lines, ...end].sort((one, other) => one.at - other.at).slice(-SHOWN.lines);
}

/** "CREATING 5.0 s, QUEUED 10 s": the end of a finished one takes no time. */
function timesOf(revision: RevisionRecord, now: number): string {
  const history = historyOf(revision, now);
  const times = history.flatMap(({ status, since }, index) =>
    isFinished(status) ? [] : [`${status} ${shortDuration((history[index + 1]?.since ?? now) - since)}`],
  );
  return times.length === 0 ? "it ended at once" : times.join(", ");
}

/** When something about a deployment changes without a request. */
export function nextChangeOf({ services: { platform }, clock }: ConsoleParts, record: DeploymentRecord): number {
  const now = clock.now();
  // A newer revision ends the one before: only the latest are still under way.
  const latest = platform.revisions.all(record).slice(-3);
  const moments = latest.flatMap((revision) => {
    const visible = Date.parse(revision.visible_from);
    const next = historyOf(revision, Infinity).find(({ since }) => since > now)?.since ?? Infinity;
    return [...(visible > now ? [visible] : []), next];
  });
  const gone = record.deleted_at === null ? Infinity : Date.parse(record.deleted_at) + platform.settings.deleteMs;
  return Math.min(Infinity, gone, ...moments);
}
