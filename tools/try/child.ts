import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** What a finished child process left. `code` is 128 + n for one ended by signal n. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run a child. */
export interface ChildOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Text for its standard input: the way for a secret, which must not be an argument. */
  readonly input?: string;
  /** `terminal`: its output goes to the terminal as it comes; otherwise it is collected. */
  readonly output: "terminal" | "collect";
}

const SIGNAL_CODES: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 };

/** Runs a command to its end. On the terminal, Ctrl-C reaches the child by itself; this process stays until the child has ended. */
export function run(command: string, args: readonly string[], options: ChildOptions): Promise<Finished> {
  const { cwd, env, input, output } = options;
  const toTerminal = output === "terminal";
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: [input === undefined ? "ignore" : "pipe", toTerminal ? "inherit" : "pipe", toTerminal ? "inherit" : "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    const stay = forwardSignals(child);
    child.once("error", (error) => {
      stay();
      reject(error);
    });
    child.once("close", (code, signal) => {
      stay();
      resolve({ code: code ?? SIGNAL_CODES[signal ?? ""] ?? 1, stdout, stderr });
    });
  });
}

/** A signal to this process alone (kill, a CI job that is cancelled) is passed on once; the terminal's Ctrl-C has reached the child already. */
function forwardSignals(child: ChildProcess): () => void {
  const onTerminate = (): void => void child.kill("SIGTERM");
  const onInterrupt = (): void => {
    if (!process.stdin.isTTY) child.kill("SIGINT");
  };
  process.on("SIGTERM", onTerminate);
  process.on("SIGINT", onInterrupt);
  return () => {
    process.off("SIGTERM", onTerminate);
    process.off("SIGINT", onInterrupt);
  };
}

/** A server that runs as a child until it is stopped. */
export interface RunningServer {
  /** The first line that it printed. */
  readonly firstLine: string;
  /** Ends it, and waits until it has. */
  stop(): Promise<void>;
}

/** Starts a server and waits for its first line. Throws what it wrote to stderr where it ends before that. */
export function startServer(
  command: string,
  args: readonly string[],
  options: Pick<ChildOptions, "cwd" | "env">,
): Promise<RunningServer> {
  // A process group of its own: Ctrl-C is for the engine, which still needs the server to finish what it began.
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const endWithUs = (): void => void child.kill("SIGKILL");
  process.once("exit", endWithUs);
  const stop = async (): Promise<void> => {
    process.off("exit", endWithUs);
    child.kill("SIGTERM");
    await ended;
  };
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => {
      process.off("exit", endWithUs);
      reject(new Error(stderr.trim() || "the server ended before it was ready"));
    });
    createInterface({ input: child.stdout }).once("line", (firstLine) => resolve({ firstLine, stop }));
  });
}
