import { imageOf } from "../../platform/revision-image";
import { isFinished, progressOf, type RevisionRecord } from "../../platform/revision-record";
import type { NamedRevision, WayBack } from "../views";

/**
 * The way back of a deployment whose latest revision is a redeploy of an earlier one; undefined without one, and for a redeploy of the
 * latest: nothing was left. `revisions` are the visible ones, oldest first.
 */
export function wayBackOf(
  revisions: readonly RevisionRecord[],
  active: string | null,
  now: number,
): WayBack | undefined {
  const named = (revision: RevisionRecord): NamedRevision => ({
    number: revisions.indexOf(revision) + 1,
    status: progressOf(revision, now).status,
    image: imageOf(revision, now),
    commit: revision.commit,
  });
  const [latest, before] = [revisions.at(-1), revisions.at(-2)];
  const origin = revisions.find(({ id }) => id === latest?.redeploy_of);
  if (latest === undefined || before === undefined || origin === undefined || origin === before) return undefined;
  const made = named(latest);
  return { state: stateOf(made, latest.id === active), made, origin: named(origin), left: named(before) };
}

function stateOf({ status }: NamedRevision, serves: boolean): WayBack["state"] {
  if (serves) return "went back";
  return isFinished(status) && status !== "DEPLOYED" ? "did not go back" : "is going back";
}
