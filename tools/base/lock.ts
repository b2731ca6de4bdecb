import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { errorCode, leniently } from "../../provider/base/errors";
import { hasProcess } from "../../provider/base/own-folder";
import { logToStderr } from "../engine/ways";

const POLL = 500;

/** Whether a process with this pid is running, whoever owns it. One that has ended, unnoticed by its parent, is not. */
export function isAlive(pid: number): boolean {
  // Undefined where this is no Linux.
  const stat = leniently(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return hasProcess(pid) && stat?.includes(") Z ") !== true;
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

/** The process that has made the lock; undefined if it was released meanwhile. */
const makerOf = (file: string): number | undefined => leniently(() => Number(readFileSync(file, "utf8")));

/** Removes the lock that this maker has left: of two processes that find it, whoever comes second must not remove what the first has made since. */
export function removeLeft(file: string, maker: number): void {
  const removed = `${file}.${process.pid}.left`;
  try {
    renameSync(file, removed);
    if (!Object.is(makerOf(removed), maker)) linkSync(removed, file);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT" && code !== "EEXIST") throw error;
  } finally {
    rmSync(removed, { force: true });
  }
}

/** Takes the lock, waiting for its holder as long as that process lives, and says once who that is. Gives back what releases it. */
export async function takeLock(
  file: string,
  doing: string,
  log = logToStderr,
  sleep: (milliseconds: number) => Promise<unknown> = pause,
): Promise<() => void> {
  for (let said = false; !tryTake(file);) {
    const maker = makerOf(file);
    const isLeft = maker !== undefined && !(maker > 0 && isAlive(maker));
    // Not one that was released: by now, another process may have it.
    if (isLeft) removeLeft(file, maker);
    else {
      if (!said && maker !== undefined) log(`waiting for process ${maker}, which is ${doing}; lock: ${file}`);
      said ||= maker !== undefined;
      await sleep(POLL);
    }
  }
  return () => rmSync(file, { force: true });
}
