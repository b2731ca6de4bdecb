import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isAlive } from "../base/lock";

const Lock = z.object({ pid: z.number().int().positive() });

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
  const files = orUndefined(() => readdirSync(folder, { recursive: true, encoding: "utf8" })) ?? [];
  const pids = files
    .filter((file) => file.endsWith(".json"))
    // One that is half written, or released since, counts as abandoned: a cancel of nothing does no harm.
    .map((file) => orUndefined(() => Lock.parse(JSON.parse(readFileSync(join(folder, file), "utf8"))).pid));
  const living = pids.filter((pid) => pid !== undefined).filter(alive);
  return { living, abandoned: pids.length - living.length };
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
