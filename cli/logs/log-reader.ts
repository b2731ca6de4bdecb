import { instantOf } from "../../provider/base/time";
import type { LogKind, PlatformReader, RevisionLogEntry } from "../../provider/functions/reading";
import { CliError } from "../base/cli-error";
import { Revision, type ShownDeployment } from "../base/deployment";

/** An entry, and the log that it is from. */
export interface ShownEntry extends RevisionLogEntry {
  readonly log: LogKind;
}

/** Reads on in the logs of a revision: each entry is given once. */
export class LogReader {
  /** By log: what the next look will show again, and from when on it asks. */
  private readonly seen = new Map<LogKind, ReadonlySet<string>>();
  private readonly latest = new Map<LogKind, number>();

  constructor(
    private readonly platform: PlatformReader,
    readonly deployment: Pick<ShownDeployment, "id" | "name" | "activeRevisionId">,
    readonly revision: Revision,
    /** In the order in which they are written. */
    readonly kinds: readonly LogKind[],
  ) {}

  async status(): Promise<string> {
    return Revision.parse(await this.platform.revision(this.deployment.id, this.revision.id)).status;
  }

  /** The last entries of all logs together, oldest first. Throws CliError if the platform has none of the logs. */
  async last(count: number): Promise<ShownEntry[]> {
    const entries: ShownEntry[] = [];
    let isThere = false;
    for (const log of this.kinds) {
      const found = await this.platform.lastLogEntries(this.log(log), count);
      isThere ||= found !== undefined;
      this.note(log, found ?? []);
      entries.push(...shown(log, found ?? []));
    }
    if (isThere) return entries.slice(-count);
    throw new CliError(`this platform has no ${this.kinds.join(" or ")} log of revision ${this.revision.id}`);
  }

  /** What was written since the last look. */
  async news(): Promise<ShownEntry[]> {
    const entries: ShownEntry[] = [];
    for (const log of this.kinds) {
      const found = (await this.platform.logEntriesSince(this.log(log), this.latest.get(log))) ?? [];
      const seen = this.seen.get(log) ?? new Set();
      const fresh = found.filter(({ id }) => !seen.has(id));
      entries.push(...shown(log, fresh));
      this.note(log, found);
    }
    return entries;
  }

  private log(kind: LogKind) {
    return { kind, deploymentId: this.deployment.id, revisionId: this.revision.id };
  }

  private note(log: LogKind, entries: readonly RevisionLogEntry[]): void {
    if (entries.length === 0) return;
    this.seen.set(log, new Set(entries.map(({ id }) => id)));
    const times = entries.flatMap(({ timestamp }) => instantOf(timestamp) ?? []);
    if (times.length > 0) this.latest.set(log, Math.max(...times));
  }
}

const shown = (log: LogKind, entries: readonly RevisionLogEntry[]): ShownEntry[] =>
  entries.map((entry) => ({ ...entry, log }));
