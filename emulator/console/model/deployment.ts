import { lastStates, plainText } from "../../../provider/base/plain-text";
import type { DeploymentRecord } from "../../platform/deployment-record";
import { imageOf } from "../../platform/revision-image";
import { logOf } from "../../platform/revision-log";
import { historyOf, isFinished, progressOf, type RevisionRecord } from "../../platform/revision-record";
import { agentAddress } from "../../routes/deployment-answer";
import { shortDuration, type Tone, toneOf } from "../format";
import type { ConsoleParts } from "../parts";

/** Revisions on the page of a deployment, and lines of a log. */
const SHOWN = { revisions: 10, lines: 100 } as const;

/** Which revision serves, and what the latest one does about it. */
export interface WhatServes {
  readonly text: string;
  readonly tone: Tone;
}

const UNOPENED = "No key of this emulator opens its workspace";

/** What a deployment is now: what serves, what the platform answers of it, what it runs, and where. */
export function deploymentNow(parts: ConsoleParts, record: DeploymentRecord) {
  const { platform, clock, tenants } = parts;
  const now = clock.now();
  const { status, latest, active } = platform.deployments.status(record, now);
  const run = active ?? latest;
  const image = (run && imageOf(run, now)) ?? "none";
  const serving = servingOf(record, platform.revisions.of(record, now), active?.id, now);
  const isOpened = tenants.some(({ tenantId }) => tenantId === record.tenant_id);
  return {
    status,
    active: active?.id,
    serving,
    /** Why its agent cannot be asked; undefined if it can. */
    silence: active === undefined || record.deleted_at !== null ? serving.text : isOpened ? undefined : UNOPENED,
    runs: run?.commit == null ? image : `commit ${run.commit}`,
    address: agentAddress(parts, record, active) ?? "none",
  };
}

/** What serves, in words. `revisions` are the visible ones, oldest first. */
function servingOf(
  record: DeploymentRecord,
  revisions: readonly RevisionRecord[],
  active: string | undefined,
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

export type RevisionRow = ReturnType<typeof revisionsOf>["revisions"][number];

/** The latest revisions of a deployment, newest first, with their logs, and how many there are in all. */
export function revisionsOf(parts: ConsoleParts, record: DeploymentRecord, active: string | undefined) {
  const now = parts.clock.now();
  const all = parts.platform.revisions.of(record, now);
  const serves = all.findIndex(({ id }) => id === active);
  const rowOf = (revision: RevisionRecord, index: number) => {
    const { status } = progressOf(revision, now);
    return {
      id: revision.id,
      number: index + 1,
      status,
      times: timesOf(revision, now),
      /** The number of the one that it deploys once more. */
      again: all.findIndex(({ id }) => id === revision.redeploy_of) + 1 || undefined,
      createdAt: Date.parse(revision.created_at),
      image: imageOf(revision, now),
      commit: revision.commit,
      isActive: revision.id === active,
      /** Whether its log is what to look at first: it failed, and no newer revision serves. */
      hasFailed: index > serves && status.endsWith("_FAILED"),
      /** What comes back if it is deployed once more; undefined unless it was DEPLOYED, and another one serves. */
      comesBack:
        index < all.length - 1 && status === "DEPLOYED" && revision.id !== active && record.deleted_at === null
          ? comesBack(revision, record)
          : undefined,
      log: logLines(parts, revision, record, now),
    };
  };
  const first = Math.max(0, all.length - SHOWN.revisions);
  const revisions = all.slice(first).map((revision, index) => rowOf(revision, first + index));
  return { revisions: revisions.reverse(), made: all.length };
}

/** What comes back with a revision, as the command `redeploy` says it. */
function comesBack({ settings }: RevisionRecord, record: DeploymentRecord): string {
  const namesIn = (variables: readonly { readonly name: string }[]) => variables.map(({ name }) => name).join(", ");
  const today = [...record.secrets, ...record.secret_references].map((each) => JSON.stringify(each));
  const then = [...(settings?.secrets ?? []), ...(settings?.secret_references ?? [])];
  const changed = then.filter((each) => !today.includes(JSON.stringify(each)));
  const all = `The whole environment of that revision comes back, each variable as it was then: ${namesIn(then)}.`;
  return [then.length > 0 ? all : "", changed.length > 0 ? `Changed since: ${namesIn(changed)}.` : ""].join(" ");
}

/** Its lines and its end, in the order in which they came. */
function logLines(parts: ConsoleParts, revision: RevisionRecord, record: DeploymentRecord, now: number) {
  const { settings } = parts.platform;
  const entries = (["build", "deploy"] as const).flatMap(
    (kind) => logOf(kind, revision, record, settings, now).entries,
  );
  const lines = entries.map(({ id, timestamp, level, message }) => ({
    ...{ id, level, at: Date.parse(timestamp) },
    message: plainText(lastStates(message)),
  }));
  const { status, since } = progressOf(revision, now);
  const level = status.endsWith("_FAILED") ? "ERROR" : "INFO";
  const end = isFinished(status) ? [{ id: revision.id, at: since, level, message: status }] : [];
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
