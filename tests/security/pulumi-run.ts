import { spawn } from "node:child_process";
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

/** Runs a command of the engine, and keeps all that can be seen of it. */
export async function runSeen(
  stack: CliStack,
  name: string,
  args: readonly string[],
  { verbose = false, events = true } = {},
): Promise<Seen> {
  const eventLog = join(stack.folder, `events-${name.replace(/\W+/g, "-")}.json`);
  const flags = [...(verbose ? ["-v=9", "--logtostderr"] : []), ...(events ? ["--event-log", eventLog] : [])];
  const child = spawn("pulumi", ["--non-interactive", ...args, ...flags], {
    cwd: stack.folder,
    // It hides --event-log unless asked so.
    env: { ...stack.environment, PULUMI_DEBUG_COMMANDS: "true" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const commandLines = new Set<string>();
  const sampler = setInterval(() => sampleDescendants(child.pid ?? 0, commandLines), SAMPLE_MS);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve(status ?? -1));
  }).finally(() => clearInterval(sampler));
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
