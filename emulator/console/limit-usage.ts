import type { LogEntry } from "../base/log-entry";
import { governingRowOf } from "../limits/rate-limiter";
import type { IdentityKey, LimitRow } from "../limits/limits-table";
import type { RequestLog } from "../server/request-log";
import type { Traffic } from "./traffic";

/** How far back the chart goes. */
const SECONDS = 300;

/** One row of the limits table, and the requests that it governed. */
export interface RowUsage {
  readonly category: string;
  readonly identity: IdentityKey;
  readonly limit: { readonly count: number; readonly seconds: number };
  /** For each second of the chart, oldest first: the requests within the row's interval that ended then. */
  readonly within: readonly number[];
  readonly refused: number;
}

/** Of a longer interval (one row counts by the hour) only this much is counted. */
const LONGEST_INTERVAL = 600;
const SIZE = SECONDS + LONGEST_INTERVAL;

class RowCounts {
  /** Requests let through in each second, a ring. */
  readonly counts = new Array<number>(SIZE).fill(0);
  refused = 0;
}

/**
 * The requests over time, for each row of the limits table that governed any. Each line of the log is counted once, when somebody looks;
 * while nobody does, this does nothing.
 */
export class LimitUsage {
  private readonly rows = new Map<LimitRow, RowCounts>();
  private readonly rowOfPath = new Map<string, LimitRow>();
  private counted = 0;
  private second = 0;

  constructor(
    private readonly log: RequestLog,
    private readonly traffic: Traffic,
    private readonly region: "us" | "eu",
  ) {}

  clear(): void {
    this.rows.clear();
  }

  /** The rows that saw requests, the one closest to its limit first. */
  at(now: number): readonly RowUsage[] {
    this.moveTo(Math.floor(now / 1000));
    const { entries } = this.log;
    const first = entries[0]?.seq ?? this.counted + 1;
    for (const entry of entries.slice(Math.max(0, this.counted + 1 - first))) this.count(entry);
    this.counted = entries.at(-1)?.seq ?? this.counted;
    const usage = [...this.rows].map(([row, counts]) => this.usageOf(row, counts));
    return usage.sort((one, other) => fullness(other) - fullness(one));
  }

  private count(entry: LogEntry): void {
    const second = Math.floor(Date.parse(entry.at) / 1000);
    if (second > this.second || second <= this.second - SIZE) return;
    const row = this.rowOf(entry);
    const counts = this.rows.get(row) ?? new RowCounts();
    this.rows.set(row, counts);
    // The limiter counts only what it lets through.
    if (entry.status === 429 && entry.fault === null) counts.refused += 1;
    else counts.counts[second % SIZE] = (counts.counts[second % SIZE] ?? 0) + 1;
  }

  private rowOf(entry: LogEntry): LimitRow {
    const identities = this.traffic.of(entry)?.identities ?? ["x-api-key", "IP"];
    const path = entry.path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "{uuid}");
    const key = `${entry.method} ${identities.join()} ${path}`;
    const known = this.rowOfPath.get(key);
    if (known !== undefined) return known;
    const row = governingRowOf(entry.method, path, (identity) => identities.includes(identity));
    if (this.rowOfPath.size < 5000) this.rowOfPath.set(key, row);
    return row;
  }

  /** Empties the seconds that begin. */
  private moveTo(second: number): void {
    const steps = Math.min(SIZE, second - this.second);
    for (const { counts } of this.rows.values()) {
      for (let step = 0; step < steps; step += 1) counts[(second - step) % SIZE] = 0;
    }
    this.second = second;
  }

  private usageOf(row: LimitRow, { counts, refused }: RowCounts): RowUsage {
    const limit = row[this.region];
    const interval = Math.min(limit.seconds, LONGEST_INTERVAL);
    const countAt = (second: number): number => counts[((second % SIZE) + SIZE) % SIZE] ?? 0;
    const begin = this.second - SECONDS + 1;
    let sum = 0;
    for (let second = begin - interval + 1; second < begin; second += 1) sum += countAt(second);
    const within = Array.from({ length: SECONDS }, (_, index) => {
      const second = begin + index;
      sum += countAt(second);
      const shown = sum;
      sum -= countAt(second - interval + 1);
      return shown;
    });
    return { category: row.category, identity: row.identity, limit, within, refused };
  }
}

/** How much of the limit was used at most. */
export const fullness = ({ within, limit }: Pick<RowUsage, "within" | "limit">): number =>
  Math.max(...within) / limit.count;
