import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { errorCode } from "./failure";

/** The dependencies of a wait for the lock. */
export interface LockOptions {
  readonly log: (line: string) => void;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
  /** The work of its holder, for the message. @default "which is getting the engine already" */
  readonly doing?: string;
  /** Tests pass their own; the default asks the system. */
  readonly alive?: (pid: number) => boolean;
}

/** A lock that is held. */
export interface HeldLock {
  readonly release: () => void;
}

const holderSchema = z.object({ pid: z.number().int().positive(), since: z.number() });
type Holder = z.infer<typeof holderSchema>;

const POLL = 500;
const SAY_EVERY = 5_000;
const HEARTBEAT = 5_000;
// A pid that lives but has not touched the lock for so long was given to another program (or counted in another container).
const DEAF_AFTER = 120_000;

function isZombie(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false; // Not on Linux, or gone by now.
  }
}

/** Whether a process with this pid is running, whoever owns it. One that has ended, unnoticed by its parent, is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

function tryTake(file: string, since: number): boolean {
  // By link: the lock appears with its content or not at all, and only one of two links succeeds.
  const draft = `${file}.${process.pid}.${since}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, since } satisfies Holder));
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

/** The process that holds the lock; undefined if none does. */
export function lockHolder(
  file: string,
  options: Pick<LockOptions, "alive" | "now"> = { now: Date.now },
): number | undefined {
  const holder = readHolder(file);
  return isStale(file, holder, options) ? undefined : holder?.pid;
}

function isStale(file: string, holder: Holder | undefined, options: Pick<LockOptions, "alive" | "now">): boolean {
  if (holder === undefined || !(options.alive ?? isAlive)(holder.pid)) return true;
  const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return touched !== undefined && options.now() - touched > DEAF_AFTER;
}

function removeStale(file: string, stale: Holder | undefined): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // Another process was faster.
  }
  const moved = readHolder(aside);
  // Between reading and renaming another process may have cleared it and taken the lock: give it back.
  if (moved !== undefined && (moved.pid !== stale?.pid || moved.since !== stale.since)) {
    try {
      linkSync(aside, file);
    } catch {
      // A third one holds it by now. Two builds side by side cost time, not correctness.
    }
  }
  rmSync(aside, { force: true });
}

function hold(file: string, since: number): HeldLock {
  const heartbeat = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date());
    } catch {
      // Removed by hand: the work goes on, its result is put in place by one rename anyway.
    }
  }, HEARTBEAT);
  heartbeat.unref();
  return {
    release: () => {
      clearInterval(heartbeat);
      const holder = readHolder(file);
      if (holder?.pid === process.pid && holder.since === since) rmSync(file, { force: true });
    },
  };
}

/** Takes the lock, waiting for its holder as long as that process lives, and says every few seconds who that is. */
export async function takeLock(file: string, options: LockOptions): Promise<HeldLock> {
  const started = options.now();
  let said = -Infinity;
  for (;;) {
    const since = options.now();
    if (tryTake(file, since)) return hold(file, since);
    const holder = readHolder(file);
    if (isStale(file, holder, options)) {
      removeStale(file, holder);
      continue;
    }
    if (holder !== undefined && options.now() - said >= SAY_EVERY) {
      said = options.now();
      const waited = Math.round((said - started) / 1000);
      options.log(
        `waiting for process ${holder.pid}, ${options.doing ?? "which is getting the engine already"} (${waited} s); lock: ${file}`,
      );
    }
    await options.sleep(POLL);
  }
}
