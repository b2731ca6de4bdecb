import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isAlive } from "../engine/lock";

const Lock = z.string().transform((text, context) => {
  try {
    return z.object({ pid: z.number().int().positive() }).parse(JSON.parse(text)).pid;
  } catch {
    context.addIssue({ code: "custom", message: "not a lock" });
    return z.NEVER;
  }
});

/** Who holds locks on the stacks of a local backend. */
export interface StackLocks {
  /** Engines that are at work. */
  readonly living: readonly number[];
  /** How many locks belong to no process: their runs were killed. */
  readonly abandoned: number;
}

/** Reads the locks in a local backend's folder, which need not exist yet. */
export function readStackLocks(backend: string, alive: (pid: number) => boolean = isAlive): StackLocks {
  const folder = join(backend, ".pulumi", "locks");
  const pids = lockFiles(folder).map((file) => readLock(join(folder, file)));
  const living = pids.filter((pid) => pid !== undefined && alive(pid));
  return { living: living.filter((pid) => pid !== undefined), abandoned: pids.length - living.length };
}

function lockFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  } catch {
    return [];
  }
}

function readLock(file: string): number | undefined {
  try {
    return Lock.safeParse(readFileSync(file, "utf8")).data;
  } catch {
    return undefined; // Released between the listing and here; a cancel of nothing does no harm.
  }
}
