import { historyOf, isFinished, progressOf, type RevisionRecord } from "../../platform/revision-record";
import type { Bar } from "../views";

/** A revision as a bar: the time that it spent in each status. The end of a finished one takes no time. */
export function barOf(revision: RevisionRecord, number: number, now: number): Bar {
  const history = historyOf(revision, now);
  const segments = history.flatMap(({ status, since }, index) => {
    const next = history[index + 1]?.since;
    return next === undefined && isFinished(status) ? [] : [{ status, from: since, to: next }];
  });
  return { id: revision.id, number, status: progressOf(revision, now).status, segments };
}

/** When its status changes next; Infinity for one that has ended. */
export function nextChangeOf(revision: RevisionRecord, now: number): number {
  return historyOf(revision, Infinity).find(({ since }) => since > now)?.since ?? Infinity;
}

/** How long it took to its end; undefined until then. */
export function tookOf(revision: RevisionRecord, now: number): number | undefined {
  const { status, since } = progressOf(revision, now);
  return isFinished(status) ? since - Date.parse(revision.created_at) : undefined;
}
