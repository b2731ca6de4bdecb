import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { lockOf } from "../../cli/base/lock";
import { leniently } from "../../provider/base/errors";
import { hasProcess } from "../../provider/base/own-folder";
import { logToStderr } from "../engine/ways";

/** Whether a process with this pid is running, whoever owns it. One that has ended, unnoticed by its parent, is not. */
export function isAlive(pid: number): boolean {
  // Undefined where this is no Linux.
  const stat = leniently(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return hasProcess(pid) && stat?.includes(") Z ") !== true;
}

/** Takes what has this path, and waits for its holder as long as that process lives, which is said once. Gives back what releases it. */
export async function takeLock(
  path: string,
  doing: string,
  log = logToStderr,
  sleep: (milliseconds: number) => Promise<unknown> = pause,
): Promise<() => void> {
  for (let isTold = false; ; isTold = true) {
    const lock = await lockOf(dirname(path), basename(path));
    if (lock !== undefined) return () => void lock.close();
    if (!isTold) log(`waiting for another process, which is ${doing} (${path})`);
    await sleep(500);
  }
}
