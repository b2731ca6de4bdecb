import { hostname } from "node:os";
import { leniently } from "../provider/base/errors";
import { thisMachine, type ProcessId } from "./process";

/** An engine that ran, or runs: what proves whose a lock is. */
export interface EngineRow extends ProcessId {
  readonly began: Date;
  readonly ended: Date | null;
}

/** A lock of Pulumi's, as its error names it. */
export interface Lock {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  readonly since: string;
  /** The lock itself, where a backend keeps it as a file. */
  readonly file: string | undefined;
}

/** The locks that an engine's error names; undefined if it failed for another reason. A service names none. */
export function locksIn(errors: string): Lock[] | undefined {
  if (/another update is (already |currently )?in progress/i.test(errors)) return [];
  if (!errors.includes("the stack is currently locked by")) return undefined;
  const named = /created by (.{1,200})@([^\s@]{1,255}) \(pid (\d{1,10})\) at (\S{1,40})/g;
  return errors.split("\n").flatMap((line) =>
    [...line.matchAll(named)].map(([, user = "", host = "", pid = "", since = ""]) => {
      return { user, host, pid: Number(pid), since, file: fileIn(line) };
    }),
  );
}

/** The file that a line about a lock begins with: its address, as that of a folder backend. */
function fileIn(line: string): string | undefined {
  const [address = ""] = line.trim().split(/[\s?]|: /, 1);
  if (!address.startsWith("file:///") || !address.includes("/.pulumi/locks/")) return undefined;
  const path = address.slice("file://".length);
  return leniently(() => decodeURIComponent(path)) ?? path;
}

/** The clocks of the database and of this machine may differ so much, in milliseconds. */
const SKEW = 60_000;

/**
 * The engine of this fleet that made a lock, if that can be proved: the same machine and pid, and the lock is as old as that engine. Undefined for
 * anybody else's.
 */
export function makerOf(lock: Lock, engines: readonly EngineRow[]): EngineRow | undefined {
  const since = Date.parse(lock.since);
  return engines.find(
    ({ machine, pid, began, ended }) =>
      machine === thisMachine() &&
      lock.host === hostname() &&
      pid === lock.pid &&
      since > began.getTime() - SKEW &&
      since < (ended?.getTime() ?? Date.now()) + SKEW,
  );
}

/** Who holds a stack, for people. */
export function lockText(locks: readonly Lock[]): string {
  const [lock] = locks;
  if (lock === undefined) return "locked: another update is in progress. Wait for it, then `retry`";
  return `locked by ${lock.user}@${lock.host} (pid ${lock.pid}) since ${lock.since}. Wait for it, then \`retry\`; only if it is dead: \`pulumi cancel\``;
}
