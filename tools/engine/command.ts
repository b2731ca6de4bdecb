import { spawn, type ChildProcess } from "node:child_process";
import { errorCode } from "../../provider/base/errors";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds after which it is killed and counted as failed. */
  readonly timeout?: number;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    // The group: a compiler's own children must not outlive it.
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

/** Ends a child with this process; gives back what undoes that. Call it before the child starts, or a signal slips between. */
function tie(child: () => ChildProcess): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    killGroup(child());
    untie();
    process.kill(process.pid, signal);
  };
  const untie = (): void => {
    for (const signal of SIGNALS) process.removeListener(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return untie;
}

/** Runs a command and gives its standard output. Rejects with the end of its standard error, or with why it did not run. */
export async function runCommand(command: Command): Promise<string> {
  const { file, args, cwd, env, timeout } = command;
  const untie = tie(() => child);
  const child = spawn(file, args, {
    cwd,
    env,
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr, timedOut] = ["", "", false];
  const onTimeout = (): void => {
    timedOut = true;
    killGroup(child);
  };
  const timer = timeout === undefined ? undefined : setTimeout(onTimeout, timeout);
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-20_000)));
  return new Promise<string>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(why));
    child.on("error", (error) => fail(errorCode(error) === "ENOENT" ? `${file} is not installed` : error.message));
    child.on("close", (code, signal) => {
      if (timedOut) fail(`no end after ${(timeout ?? 0) / 1000} s`);
      else if (code === 0) resolve(stdout);
      else fail(`${file} ended with ${signal ?? `exit code ${code ?? "unknown"}`}${tail(stderr)}`);
    });
  }).finally(() => {
    clearTimeout(timer);
    untie();
  });
}

export const succeeds = (command: Command): Promise<boolean> =>
  runCommand(command).then(
    () => true,
    () => false,
  );

function tail(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? "" : `: ${lines.slice(-8).join("\n")}`;
}
