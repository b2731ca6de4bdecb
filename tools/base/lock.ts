import { linkSync, readFileSync, renameSync, rmSync, statSync, utimes, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { errorCode } from "../engine/command";
import { logToStderr } from "../engine/ways";

/** The dependencies of a wait for another process. */
export interface Waiting {
  readonly log: (line: string) => void;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly alive: (pid: number) => boolean;
}

/** Those of a command that a person waits for. */
export const waiting: Waiting = { log: logToStderr, sleep: (milliseconds) => pause(milliseconds), alive: isAlive };

export const POLL = 500;
const HEARTBEAT = 5_000;
// A pid that lives but has not touched the lock for so long was given to another program (or counted in another container).
const DEAF_AFTER = 120_000;

/** Whether a process with this pid is running, whoever owns it. One that has ended, unnoticed by its parent, is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return true; // Not on Linux.
  }
}

/** The living process that holds the lock; undefined if none does. */
export function lockHolder(file: string, alive = isAlive): number | undefined {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    const isDeaf = Date.now() - statSync(file).mtimeMs > DEAF_AFTER;
    return pid > 0 && alive(pid) && !isDeaf ? pid : undefined;
  } catch {
    return undefined; // Released.
  }
}

function tryTake(file: string): boolean {
  // By link: the lock appears with its content or not at all, and only one of two links succeeds.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function removeStale(file: string, alive: Waiting["alive"]): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
    // Another process may have taken it since it was read: it gets it back.
    if (lockHolder(aside, alive) !== undefined) linkSync(aside, file);
  } catch {
    // Another process was faster.
  }
  rmSync(aside, { force: true });
}

/** Takes the lock, waiting for its holder as long as that process lives, and says once who that is. Gives back what releases it. */
export async function takeLock(file: string, doing: string, { log, sleep, alive } = waiting): Promise<() => void> {
  for (let said = false; !tryTake(file);) {
    const holder = lockHolder(file, alive);
    if (holder === undefined) {
      removeStale(file, alive);
      continue;
    }
    if (!said) log(`waiting for process ${holder}, which is ${doing}; lock: ${file}`);
    said = true;
    await sleep(POLL);
  }
  const heartbeat = setInterval(() => utimes(file, new Date(), new Date(), () => undefined), HEARTBEAT).unref();
  return () => {
    clearInterval(heartbeat);
    if (lockHolder(file) === process.pid) rmSync(file, { force: true });
  };
}
