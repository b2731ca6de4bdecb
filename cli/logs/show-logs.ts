import type { Clock } from "../../provider/base/clock";
import { isEnding, meaningOf } from "../../provider/resources/rollout/classify";
import { lineText } from "../base/printable";
import type { LogReader, ShownEntry } from "./log-reader";

/** As official clients do. */
const POLL_MS = 2_000;

/** How logs are shown. */
export interface Showing {
  readonly logs: LogReader;
  /** Entries at most, before what is followed. */
  readonly lines: number;
  readonly follow: boolean;
  readonly clock: Clock;
  readonly print: (entry: ShownEntry) => void;
  /** A line for people. */
  readonly report: (line: string) => void;
}

/** Shows the logs of a revision. True if it was followed, and has failed. */
export async function showLogs({ logs, lines, follow, clock, print, report }: Showing): Promise<boolean> {
  const { deployment, revision } = logs;
  report(lineText(`deployment ${deployment.name}, revision ${revision.id}: ${revision.status}`));
  const first = await logs.last(lines);
  first.forEach(print);
  if (!follow) {
    if (first.length === 0) report("no entries");
    return false;
  }
  let { status } = revision;
  let isLast = false;
  while (!isLast) {
    // The last entries may come a little later than the end of the revision.
    isLast = hasEnded(logs, status);
    await clock.sleep(POLL_MS);
    status = await logs.status();
    (await logs.news()).forEach(print);
  }
  report(lineText(`revision ${revision.id}: ${status}`));
  return meaningOf(status) === "failed";
}

/** Whether nothing more is to come. A revision that served when the command began goes on; one that was replaced says DEPLOYED too. */
function hasEnded({ kinds, revision, deployment: { activeRevisionId } }: LogReader, status: string): boolean {
  const isBuildAlone = !kinds.includes("deploy");
  if (isBuildAlone && isEnding(status)) return true;
  const served = meaningOf(revision.status) === "deployed" && (activeRevisionId ?? revision.id) === revision.id;
  return meaningOf(status) !== "pending" && !(served && meaningOf(status) === "deployed");
}
