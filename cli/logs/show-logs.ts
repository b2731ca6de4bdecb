import { CliError } from "../base/cli-error";
import type { ShownDeployment } from "../base/deployment";
import { lineText } from "../base/printable";
import type { Clock } from "../../provider/base/clock";
import { instantOf } from "../../provider/base/time";
import type { LogKind, PlatformReader, Revision, RevisionLogEntry } from "../../provider/functions/reading";
import { isEnding, meaningOf } from "../../provider/resources/rollout/classify";

/** An entry, and the log that it is from. */
export interface ShownEntry extends RevisionLogEntry {
  readonly log: LogKind;
}

/** Follows the logs of a revision, and returns each entry once. */
export class LogReader {
  /** For each log: the ids of the entries that the next request may return again, and the time from which it asks. */
  private readonly seen = new Map<
    LogKind,
    { readonly ids: ReadonlySet<string>; readonly latest: number | undefined }
  >();

  constructor(
    private readonly platform: PlatformReader,
    readonly deployment: Pick<ShownDeployment, "id" | "name" | "activeRevisionId">,
    readonly revision: Pick<Revision, "id" | "status">,
    /** In the order in which they are written. */
    readonly kinds: readonly LogKind[],
  ) {}

  async status(): Promise<string> {
    return (await this.platform.revision(this.deployment.id, this.revision.id)).status;
  }

  /** The last entries of all logs together, oldest first. Throws CliError if the platform has none of the logs. */
  async last(count: number): Promise<ShownEntry[]> {
    let [entries, isThere]: [ShownEntry[], boolean] = [[], false];
    for (const log of this.kinds) {
      // A page at least, so that entries of the last moment that are not shown are no news.
      const found = await this.platform.lastLogEntries(this.log(log), Math.max(count, PAGE));
      isThere ||= found !== undefined;
      this.note(log, found ?? []);
      entries = entries.concat(shown(log, found ?? []));
    }
    if (isThere) return entries.slice(-count);
    throw new CliError(`this platform has no ${this.kinds.join(" or ")} log of revision ${this.revision.id}`);
  }

  /** What was written since the last look. */
  async news(): Promise<ShownEntry[]> {
    let entries: ShownEntry[] = [];
    for (const log of this.kinds) {
      const before = this.seen.get(log);
      const found = (await this.platform.logEntriesSince(this.log(log), before?.latest)) ?? [];
      const fresh = found.filter(({ id }) => !before?.ids.has(id));
      entries = entries.concat(shown(log, fresh));
      this.note(log, found);
    }
    return entries;
  }

  private log(kind: LogKind) {
    return { kind, deploymentId: this.deployment.id, revisionId: this.revision.id };
  }

  private note(log: LogKind, entries: readonly RevisionLogEntry[]): void {
    if (entries.length === 0) return;
    let latest = this.seen.get(log)?.latest;
    for (const time of entries.flatMap(({ timestamp }) => instantOf(timestamp) ?? []))
      latest = Math.max(time, latest ?? time);
    this.seen.set(log, { ids: new Set(entries.map(({ id }) => id)), latest });
  }
}

const shown = (log: LogKind, entries: readonly RevisionLogEntry[]): ShownEntry[] =>
  entries.map((entry) => ({ ...entry, log }));

/** How many entries of a log one request gives. */
const PAGE = 100;
/** As official clients do. */
const POLL_MS = 2_000;

interface Showing {
  readonly logs: LogReader;
  /** The most entries to show before following. */
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

/** Whether the log is complete. DEPLOYED ends the log of a replaced revision, but not of one that served when the command began: that may write more. */
function hasEnded({ kinds, revision, deployment: { activeRevisionId } }: LogReader, status: string): boolean {
  const isBuildAlone = !kinds.includes("deploy");
  if (isBuildAlone && isEnding(status)) return true;
  const served = meaningOf(revision.status) === "deployed" && (activeRevisionId ?? revision.id) === revision.id;
  return meaningOf(status) !== "pending" && !(served && meaningOf(status) === "deployed");
}
