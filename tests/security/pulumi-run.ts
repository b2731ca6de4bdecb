import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CliStack } from "../support/cli-stack";

/** Everything that one `pulumi` command has left to be seen. */
export interface Seen {
  readonly name: string;
  readonly code: number;
  readonly stdout: string;
  /** With `verbose` the engine's log is in it. */
  readonly stderr: string;
  readonly verbose: boolean;
  readonly events: string;
  /** The command lines of all processes that it started, sampled while it ran; empty where there is no /proc. */
  readonly commandLines: ReadonlySet<string>;
}

const SAMPLE_MS = 20;

/** Runs a command of the engine, and keeps everything visible of it. */
export async function runSeen(
  stack: CliStack,
  name: string,
  args: readonly string[],
  { verbose = false, events = true } = {},
): Promise<Seen> {
  const eventLog = join(stack.folder, `events-${name.replace(/\W+/g, "-")}.json`);
  const flags = [...(verbose ? ["-v=9", "--logtostderr"] : []), ...(events ? ["--event-log", eventLog] : [])];
  const commandLines = new Set<string>();
  let sampler: NodeJS.Timeout | undefined;
  const { code, stdout, stderr } = await stack
    .run([...args, ...flags], {
      // It hides --event-log unless asked so.
      environment: { PULUMI_DEBUG_COMMANDS: "true" },
      started: (pid) => (sampler = setInterval(() => sampleDescendants(pid, commandLines), SAMPLE_MS)),
    })
    .finally(() => clearInterval(sampler));
  const logged = existsSync(eventLog) ? readFileSync(eventLog, "utf8") : "";
  return { name, code, stdout, stderr, verbose, events: logged, commandLines };
}

function sampleDescendants(root: number, into: Set<string>): void {
  if (!existsSync("/proc/self/stat")) return;
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    // The name, in brackets, may hold anything; the parent is the second field behind it.
    const parent = /.*\) \S (\d+)/s.exec(readIfThere(`/proc/${entry}/stat`))?.[1];
    if (parent !== undefined) parents.set(Number(entry), Number(parent));
  }
  const descends = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || descends(parents.get(pid)));
  for (const pid of parents.keys()) {
    if (descends(pid)) into.add(readIfThere(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim());
  }
}

/** A process can end between being listed and being read. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
