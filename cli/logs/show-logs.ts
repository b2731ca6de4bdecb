import { CliError } from "../base/cli-error";
import type { ShownDeployment } from "../base/deployment";
import { lineText } from "../base/printable";
import type { Clock } from "../../provider/base/clock";
import { instantOf } from "../../provider/base/time";
import type {
  LogKind,
  PlatformReader,
  Revision,
  RevisionLogEntry,
  RevisionLogKey,
} from "../../provider/functions/reading";
import { isEnding, meaningOf } from "../../provider/resources/rollout/classify";

/** An entry, and the log that it is from. */
export interface ShownEntry extends RevisionLogEntry {
  readonly log: LogKind;
}

/** How many entries of a log one request gives. */
const PAGE = 100;
/** As official clients do. */
const POLL_MS = 2_000;

interface Showing {
  readonly platform: PlatformReader;
  readonly deployment: Pick<ShownDeployment, "id" | "name" | "activeRevisionId">;
  readonly revision: Pick<Revision, "id" | "status">;
  /** In the order in which they are written. */
  readonly kinds: readonly LogKind[];
  /** The most entries to show before following. */
  readonly lines: number;
  readonly follow: boolean;
  readonly clock: Clock;
  readonly print: (entry: ShownEntry) => void;
  /** A line for people. */
  readonly report: (line: string) => void;
}

/** Shows the logs of a revision, each entry once. True if it was followed, and has failed. Throws CliError if the platform has none of the logs. */
export async function showLogs(showing: Showing): Promise<boolean> {
  const { platform, deployment, revision, kinds, lines, follow, clock, print, report } = showing;
  /** For each log: the ids of the entries that the next request may return again, and the time from which it asks. */
  const seen = new Map<LogKind, { readonly ids: ReadonlySet<string>; readonly latest: number | undefined }>();
  /** What is new in all logs together, oldest first; undefined where there is none of them. */
  const look = async (read: (log: RevisionLogKey) => Promise<RevisionLogEntry[] | undefined>) => {
    let all: ShownEntry[] | undefined;
    for (const log of kinds) {
      const found = await read({ kind: log, deploymentId: deployment.id, revisionId: revision.id });
      const before = seen.get(log);
      const fresh = found?.filter(({ id }) => !before?.ids.has(id)).map((entry) => ({ ...entry, log }));
      if (fresh !== undefined) all = [...(all ?? []), ...fresh];
      if (found === undefined || found.length === 0) continue;
      let latest = before?.latest;
      for (const time of found.flatMap(({ timestamp }) => instantOf(timestamp) ?? []))
        latest = Math.max(time, latest ?? time);
      seen.set(log, { ids: new Set(found.map(({ id }) => id)), latest });
    }
    return all;
  };

  report(lineText(`deployment ${deployment.name}, revision ${revision.id}: ${revision.status}`));
  // A page at least, so that entries of the last moment that are not shown are no news.
  const first = (await look((log) => platform.lastLogEntries(log, Math.max(lines, PAGE))))?.slice(-lines);
  if (first === undefined)
    throw new CliError(`this platform has no ${kinds.join(" or ")} log of revision ${revision.id}`);
  first.forEach(print);
  if (!follow) {
    if (first.length === 0) report("no entries");
    return false;
  }
  let { status } = revision;
  let isLast = false;
  while (!isLast) {
    // The last entries may come a little later than the end of the revision.
    isLast = hasEnded(showing, status);
    await clock.sleep(POLL_MS);
    ({ status } = await platform.revision(deployment.id, revision.id));
    (await look((log) => platform.logEntriesSince(log, seen.get(log.kind)?.latest)))?.forEach(print);
  }
  report(lineText(`revision ${revision.id}: ${status}`));
  return meaningOf(status) === "failed";
}

/** Whether the log is complete. DEPLOYED ends the log of a replaced revision, but not of one that served when the command began: that may write more. */
function hasEnded({ kinds, revision, deployment: { activeRevisionId } }: Showing, status: string): boolean {
  const isBuildAlone = !kinds.includes("deploy");
  if (isBuildAlone && isEnding(status)) return true;
  const served = meaningOf(revision.status) === "deployed" && (activeRevisionId ?? revision.id) === revision.id;
  return meaningOf(status) !== "pending" && !(served && meaningOf(status) === "deployed");
}
